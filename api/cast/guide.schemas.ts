import Joi, { type ObjectSchema } from 'joi';
import { id, integer, wire } from '../http/fields.js';

export const guideParams = Joi.object<{ channelId: string }>({ channelId: id().required() });

/** Programs that follow the present one. */
export const guideQuery = Joi.object<{ count: number }>({ count: integer().min(1).max(50).default(1) });

const guideProgram: ObjectSchema = Joi.object({
  programId: wire.id().required(),
  title: Joi.string().required(),
  description: Joi.string(),
  itemType: Joi.valid('LIVE', 'PRERECORDED').required(),
  startDate: wire.dateTime().required(),
  endDate: wire.dateTime().required(),
  startsAt: Joi.string().isoDate().required().description('`startDate` in UTC'),
  endsAt: Joi.string().isoDate().required().description('`endDate` in UTC'),
  thumbnailId: wire.id(),
  tags: wire.tags(),
}).meta({ className: 'GuideProgram' });

/** Now and next of a channel: `docs/contract.md#cast`. */
export const guideResponse: ObjectSchema = Joi.object({
  channelId: wire.id().required(),
  name: Joi.string().required(),
  thumbnailId: wire.id(),
  serverTime: Joi.string().isoDate().required().description('The time for which `now` is right, in UTC'),
  now: guideProgram.description('Absent in a break, and where nothing is programmed'),
  next: Joi.array().items(guideProgram).required(),
}).meta({ className: 'CastGuide' });
