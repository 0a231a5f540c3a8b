import type { Config } from '../platform/config.js';
import { streamingBaseUrl } from '../streaming/streamPath.service.js';

/** What encoders need of a channel or stream; private views only. */
export function encoderView({ streamPath: path }: { readonly streamPath: string }, config: Config) {
  return { streamingBaseUrl: streamingBaseUrl(config), streamPath: path };
}
