import Joi, { type ObjectSchema, type Schema } from 'joi';
import { namedAfter } from '../http/fields.js';

const address = Joi.string().allow('');
const firstEntry = address.description('The value of the first entry of `srcs`.');

/** Play result of `docs/contract.md#fields-play-result` with its `resource`. */
export function playResponse(resource: Schema): ObjectSchema {
  return Joi.object({
    resource: resource.required(),
    result: Joi.valid('PLAY', 'PAYMENT_REQUIRED', 'SUBSCRIPTION_REQUIRED', 'BAND_LIMIT_EXCEEDED', 'MESSAGE').required(),
    message: Joi.string().description('With `MESSAGE`: the reason, in the language of the request.'),
    srcs: Joi.array()
      .items(
        Joi.object({
          mimeType: Joi.string().required(),
          streamer: Joi.string().required(),
          uniqueStreamer: Joi.string().required(),
          /** Only in an RTMP entry. */
          file: Joi.string(),
        }),
      )
      .required(),
    mimeType: firstEntry.required(),
    file: address.required().description('Path of the playlist after the grant.'),
    streamer: firstEntry.required(),
    uniqueStreamer: firstEntry.required(),
    storyboard: Joi.string().description('URL of a WebVTT track of preview images for the seek bar.'),
    chapters: Joi.string().description('URL of a WebVTT track of chapters.'),
  }).meta(namedAfter(resource, 'Play'));
}
