import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import type { ProgramType } from '../../shared/cast/cast.model.js';
import type { TitledInput } from '../../shared/content/describedItem.js';
import { contentMembers } from '../http/contentMembers.js';
import { describedChangeBody, titledMembers, titledResponse } from '../http/describedItemFields.js';
import { id, wire } from '../http/fields.js';
import { castStreamResponse, publicCastChannelResponse } from './cast.schemas.js';

export const programTypes: readonly ProgramType[] = ['LIVE', 'PRERECORDED', 'BREAK'];

/** A malformed id is 404, like an unknown one. */
export const programParams = Joi.object<{ programId: string }>({ programId: id().required() });

/** Change of a program; `docs/contract.md#cast`. */
export const programChangeBody = describedChangeBody(Joi.object<TitledInput>(titledMembers));

/** The members that both views of a program have. */
export const programMembers: SchemaMap = {
  programId: wire.id().required(),
  ...titledResponse,
  startDate: wire.dateTime().required(),
  endDate: wire.dateTime().required(),
  itemType: Joi.valid(...programTypes).required(),
};

const boxContentResponse = Joi.object({ boxId: wire.id().required(), ...contentMembers }).meta({
  className: 'ProgramContent',
});

/** Cast program of `docs/contract.md#fields-cast-program`, for its owner. */
export const programResponse: ObjectSchema = Joi.object({
  ...programMembers,
  stream: castStreamResponse,
  boxContent: boxContentResponse,
  offset: Joi.number().integer().min(1).description('Seconds from the start of the content.'),
  message: Joi.string().description('Why the slate is shown instead of the program'),
}).meta({ className: 'CastProgram' });

/** The public view of a cast program. */
export const publicProgramResponse: ObjectSchema = Joi.object({
  ...programMembers,
  channel: publicCastChannelResponse.required(),
}).meta({ className: 'PublicCastProgram' });
