import Joi, { type SchemaMap } from 'joi';
import type { NamedInput } from '../../shared/content/describedItem.js';
import { rejectAs } from '../../shared/platform/validation.js';
import { refusalReasons } from '../../shared/streaming/refusedEncoder.js';
import { maxPath } from '../../shared/streaming/streamPath.service.js';
import { namedMembers } from './describedItemFields.js';
import { optionalText, wire } from './fields.js';

/* Members of live channels, cast channels and cast streams: `docs/contract.md#choices-live`. */

/** The body of an item with a stream path: a live channel, cast channel or cast stream. */
export interface StreamBody extends NamedInput {
  readonly streamPath?: string;
}

const streamPath = rejectAs(
  Joi.string()
    .trim()
    .max(maxPath)
    .pattern(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/),
  'live.streamPathForm',
  ['string.pattern.base'],
);

/** Members of such an item. */
export const streamMembers: SchemaMap = {
  ...namedMembers,
  streamPath: streamPath
    .empty('')
    .example('my.channel')
    .description('Unique. If left out, it is derived from the name of a new item, and unchanged for an existing one.'),
};

/** The members that make the body of a change complete. */
export const requiredStreamMembers: readonly string[] = ['name', 'streamPath'];

export const streamPathQuery = Joi.object<{ base?: string }>({
  base: optionalText(255).description('The name of the channel or stream'),
});
export const streamPathResponse = Joi.object({ streamPath: Joi.string().required() });

/** Members of responses that encoders need; private views only. */
export const encoderMembers: SchemaMap = {
  streamingBaseUrl: Joi.string().required().example('rtmp://live.example.org:1935/live'),
  streamPath: Joi.string().required(),
  refusedEncoder: Joi.object({
    reason: Joi.valid(...refusalReasons)
      .required()
      .description('A stable name for the reason.'),
    message: Joi.string()
      .required()
      .description('The reason, in the language of the request; with `UNSUPPORTED_CODEC` the codec.'),
    date: wire.dateTime().required().description('Time of the refusal.'),
    address: Joi.string().description('IP address of the encoder.'),
  }).meta({ className: 'RefusedEncoder' }),
};
