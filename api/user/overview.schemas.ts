import Joi from 'joi';
import { documented } from '../http/documented.js';
import { wire } from '../http/fields.js';
import { billingAddressResponse } from './user.schemas.js';

const count = () => Joi.number().integer().min(0);
const decimal = () =>
  Joi.string()
    .pattern(/^\d+,\d{2}$/)
    .example('1,25');

/** Usage and limits, in bytes, numbers and minutes. */
export const usageResponse = Joi.object({
  originalBytes: count().required().description('Uploaded files.'),
  renditionBytes: count().required().description('Renditions and other files derived from them.'),
  thumbnailBytes: count().required().description('Thumbnails.'),
  reservedBytes: count().required().description('Reserved for uploads in progress.'),
  storageLimitBytes: count().required().description('Limit of the sum of all these bytes.'),
  bandBytes: count().required().description('Bytes sent to viewers in the calendar month (UTC)'),
  bandLimitBytes: count().required().description('Limit of `bandBytes`.'),
  uploads: count().required().description('Uploads that count towards the limit.'),
  uploadLimit: count().required().description('Limit of `uploads`; 0: unlimited.'),
  mediaMinutes: count().required().description('Minutes of media processed in the calendar month (UTC)'),
  mediaMinutesLimit: count().required().description('Limit of `mediaMinutes`; 0: unlimited.'),
  streamingMinutes: count().required().description('Minutes published by encoders in the calendar month (UTC)'),
  streamingMinutesLimit: count().required().description('Limit of `streamingMinutes`; 0: unlimited.'),
}).meta({ className: 'Usage' });

/** The license of a user and its end. */
const licenseMembers = {
  licenseName: Joi.string().required().description('The current plan, or the expired one.').example('Free'),
  licenseExpired: Joi.boolean().required(),
  availableRenews: count().required().description('Paid months after `renewDate`.'),
  renewDate: Joi.array()
    .ordered(count().required(), count().min(1).max(12).required(), count().min(1).max(31).required())
    .required()
    .meta(documented({ items: { type: 'integer' }, minItems: 3, maxItems: 3 }))
    .description('Year, month and day of the end of the current license month')
    .example([2026, 12, 31]),
  daysFromActivation: count().description('Days since the start of the plan.'),
  daysToExpiration: count().description('Days until the plan ends.'),
};

/** The license in the event of a change. */
export const licenseStateResponse = Joi.object(licenseMembers).meta({ className: 'LicenseState' });

/** User overview of `docs/contract.md#fields-overview`; `usage` is an addition of this service. */
export const overviewResponse = Joi.object({
  userCode: Joi.string().required(),
  ...licenseMembers,
  videosCount: count().required().description('Items in the box, in every status.'),
  storage: decimal().required().description('Used storage, in Gb with a decimal comma.'),
  band: decimal().required().description('Data sent this month, in Gb with a decimal comma.'),
  storagePercent: decimal().required().description('Used storage, in percent of its limit.'),
  bandPercent: decimal().required().description('Used band, in percent of its limit.'),
  paypalEmail: Joi.string(),
  vatNumber: Joi.string(),
  taxCode: Joi.string(),
  billingAddress: billingAddressResponse,
  livePassword: Joi.string(),
  thumbnailId: wire.id(),
  usage: usageResponse.required(),
}).meta({ className: 'UserOverview' });
