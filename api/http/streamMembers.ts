import Joi, { type SchemaMap } from 'joi';
import type { Config } from '../../shared/platform/config.js';
import { rejectAs } from '../../shared/platform/validation.js';
import { longestPath, streamingBaseUrl } from '../../shared/streaming/streamPath.service.js';
import { id, optionalText, tags, text, wire } from './fields.js';

/*
 * Members that live channels, live events, cast channels, cast streams and cast programs share:
 * `docs/contract.md#choices-live`.
 */

/** Members of requests that describe an item, all optional. */
export const descriptionMembers: SchemaMap = {
  description: optionalText(20_000),
  thumbnailId: id().empty(''),
  tags: tags(),
};

/** The body of an item that encoders publish to, or that has a path of its own beside them. */
export interface StreamBody {
  readonly name: string;
  readonly streamPath: string;
  readonly description?: string;
  readonly thumbnailId?: string;
  readonly tags?: readonly string[];
}

const streamPath = rejectAs(
  Joi.string()
    .trim()
    .max(longestPath)
    .pattern(/^[A-Za-z0-9][A-Za-z0-9_.-]*$/),
  'live.streamPathForm',
  ['string.pattern.base'],
);

/** Create and update of such an item. */
export const streamMembers: SchemaMap = {
  name: text(255).required(),
  streamPath: streamPath.required().example('my.channel'),
  ...descriptionMembers,
};

export const streamPathQuery = Joi.object<{ base?: string }>({
  base: optionalText(255).description('The name of the channel or stream'),
});
export const streamPathResponse = Joi.object({ streamPath: Joi.string().required() });

/** Members of responses that describe an item with a name. */
export const describedMembers: SchemaMap = {
  name: Joi.string().required(),
  description: Joi.string(),
  thumbnailId: wire.id(),
  tags: wire.tags(),
};

/** Members of responses that encoders need; private views only. */
export const encoderMembers: SchemaMap = {
  streamingBaseUrl: Joi.string().required().example('rtmp://live.example.org:1935/live'),
  streamPath: Joi.string().required(),
};

interface Described {
  readonly name: string;
  readonly description: string | null;
  readonly thumbnailId: string | null;
  readonly tags: readonly string[];
}

/** The view of `describedMembers`; empty members are left out. */
export function describedView({ name, description, thumbnailId, tags: given }: Described) {
  return {
    name,
    ...(description ? { description } : {}),
    ...(thumbnailId ? { thumbnailId } : {}),
    ...(given.length > 0 ? { tags: given } : {}),
  };
}

/** The view of `encoderMembers`. */
export function encoderView({ streamPath: path }: { readonly streamPath: string }, config: Config) {
  return { streamingBaseUrl: streamingBaseUrl(config), streamPath: path };
}
