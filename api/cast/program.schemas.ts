import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import type { ProgramType } from '../../shared/cast/cast.model.js';
import { contentMembers } from '../http/contentMembers.js';
import { id, text, wire } from '../http/fields.js';
import { descriptionMembers } from '../http/streamMembers.js';
import { castStreamResponse, publicCastChannelResponse } from './cast.schemas.js';

export const programTypes: readonly ProgramType[] = ['LIVE', 'PRERECORDED', 'BREAK'];

/** A malformed id is 404, like an unknown one. */
export const programParams = Joi.object<{ programId: string }>({ programId: id().required() });

export interface ProgramBody {
  readonly title: string;
  readonly description?: string;
  readonly thumbnailId?: string;
  readonly tags?: readonly string[];
}

/** Change of a program; `docs/contract.md#cast`. */
export const programBody = Joi.object<ProgramBody>({ title: text(255).required(), ...descriptionMembers });

/** The members that both views of a program have. */
export const programMembers: SchemaMap = {
  programId: wire.id().required(),
  title: Joi.string().required(),
  description: Joi.string(),
  startDate: wire.dateTime().required(),
  endDate: wire.dateTime().required(),
  itemType: Joi.valid(...programTypes).required(),
  thumbnailId: wire.id(),
  tags: wire.tags(),
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
  message: Joi.string().description('Why the slate is shown instead'),
}).meta({ className: 'CastProgram' });

/** The same for everybody. */
export const publicProgramResponse: ObjectSchema = Joi.object({
  ...programMembers,
  channel: publicCastChannelResponse.required(),
}).meta({ className: 'PublicCastProgram' });
