import Joi, { type ObjectSchema } from 'joi';
import { describedChangeBody, namedResponse } from '../http/describedItemFields.js';
import { embedUrlMember } from '../http/embedUrlMember.js';
import { id, publisherResponse, wire } from '../http/fields.js';
import { searchBody, userCodeFilter } from '../http/searchBody.js';
import { encoderMembers, streamMembers, requiredStreamMembers, type StreamBody } from '../http/streamMembers.js';

/** Create of channels and of streams; `docs/contract.md#cast`. */
export const castBody = Joi.object<StreamBody>(streamMembers);
export const castChangeBody = describedChangeBody(castBody, { needed: requiredStreamMembers });

/** A malformed id is 404, like an unknown one. */
export const castChannelParams = Joi.object<{ channelId: string }>({ channelId: id().required() });
export const castStreamParams = Joi.object<{ streamId: string }>({ streamId: id().required() });

export const ownCastSearchBody = searchBody();
export const publicCastChannelSearchBody = searchBody<{ userCode?: string }>({ userCode: userCodeFilter });

const channelMembers = {
  channelId: wire.id().required(),
  embedUrl: embedUrlMember,
  ...namedResponse,
  locked: Joi.boolean().required(),
};

/** Cast channel of `docs/contract.md#fields-cast-channel`, for its owner. */
export const castChannelResponse: ObjectSchema = Joi.object({ ...channelMembers, ...encoderMembers }).meta({
  className: 'CastChannel',
});

/** The public view of a cast channel. */
export const publicCastChannelResponse: ObjectSchema = Joi.object({
  ...channelMembers,
  publisher: publisherResponse.required(),
}).meta({ className: 'PublicCastChannel' });

/** Cast stream of `docs/contract.md#fields-cast-stream`. */
export const castStreamResponse: ObjectSchema = Joi.object({
  streamId: wire.id().required(),
  ...namedResponse,
  ...encoderMembers,
}).meta({ className: 'CastStream' });
