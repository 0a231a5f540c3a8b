import Joi, { type ObjectSchema } from 'joi';
import { maxGuideDays } from '../../shared/cast/guide/guide.service.js';
import { titledResponse } from '../http/describedItemFields.js';
import { id, integer, optionalText, wire } from '../http/fields.js';

export const guideParams = Joi.object<{ channelId: string }>({ channelId: id().required() });

export const nowAndNextQuery = Joi.object<{ count: number }>({
  count: integer().min(1).max(50).default(1).description('Programs that follow the current one'),
});

const days = integer().min(1).max(maxGuideDays).default(7).description('Number of days from now');
const userCode = optionalText(50).description('Only the channels of this publisher');

export const channelGuideQuery = Joi.object<{ days: number }>({ days });
export const guideQuery = Joi.object<{ days: number; userCode?: string }>({ days, userCode });
export const channelListQuery = Joi.object<{ userCode?: string }>({ userCode });

/** ISO 8601 in UTC, for players' scripts. */
const moment = () =>
  Joi.string()
    .pattern(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    .example('2026-11-22T19:30:00.000Z');

const guideProgram: ObjectSchema = Joi.object({
  programId: wire.id().required(),
  ...titledResponse,
  itemType: Joi.valid('LIVE', 'PRERECORDED').required(),
  startDate: wire.dateTime().required(),
  endDate: wire.dateTime().required(),
  startsAt: moment().required().description('`startDate` in UTC'),
  endsAt: moment().required().description('`endDate` in UTC'),
}).meta({ className: 'GuideProgram' });

/** Now and next of a channel: `docs/contract.md#cast`. */
export const guideResponse: ObjectSchema = Joi.object({
  channelId: wire.id().required(),
  name: Joi.string().required(),
  thumbnailId: wire.id(),
  serverTime: moment().required().description('The time at which `now` is on air, in UTC'),
  now: guideProgram,
  next: Joi.array().items(guideProgram).required(),
}).meta({ className: 'CastGuide' });
