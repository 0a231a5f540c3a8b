import Joi from 'joi';
import { wire } from '../http/fields.js';
import { billingAddressResponse } from './user.schemas.js';

const count = () => Joi.number().integer().min(0);
const decimal = () =>
  Joi.string()
    .pattern(/^\d+,\d{2}$/)
    .example('1,25');

/** Usage and limits, in bytes, numbers and minutes. */
const usageResponse = Joi.object({
  originalBytes: count().required(),
  renditionBytes: count().required(),
  thumbnailBytes: count().required(),
  reservedBytes: count().required().description('Kept for uploads that are under way'),
  storageLimitBytes: count().required(),
  bandBytes: count().required().description('Sent to viewers in the calendar month (UTC)'),
  bandLimitBytes: count().required(),
  uploads: count().required(),
  uploadLimit: count().required().description('0: none'),
  mediaMinutes: count().required().description('Processed in the calendar month (UTC)'),
  mediaMinutesLimit: count().required().description('0: none'),
  streamingMinutes: count().required().description('Published by encoders in the calendar month (UTC)'),
  streamingMinutesLimit: count().required().description('0: none'),
}).meta({ className: 'Usage' });

/** User overview of `docs/contract.md#fields-overview`; `usage` is an addition of this service. */
export const overviewResponse = Joi.object({
  userCode: Joi.string().required(),
  licenseName: Joi.string().required().example('Free'),
  licenseExpired: Joi.boolean().required(),
  availableRenews: count().required().description('Months paid beyond renewDate'),
  renewDate: Joi.array()
    .ordered(count().required(), count().min(1).max(12).required(), count().min(1).max(31).required())
    .required()
    .description('Year, month, day on which the present month of the license ends')
    .example([2026, 12, 31]),
  daysFromActivation: count(),
  daysToExpiration: count(),
  videosCount: count().required(),
  storage: decimal().required().description('Used, in Gb'),
  band: decimal().required().description('Used this month, in Gb'),
  storagePercent: decimal().required(),
  bandPercent: decimal().required(),
  paypalEmail: Joi.string(),
  vatNumber: Joi.string(),
  taxCode: Joi.string(),
  billingAddress: billingAddressResponse,
  livePassword: Joi.string(),
  thumbnailId: wire.id(),
  usage: usageResponse.required(),
}).meta({ className: 'UserOverview' });
