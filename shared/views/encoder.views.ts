import type { Config } from '../platform/config.js';
import { formatDateTime } from '../platform/formats/format.js';
import { refusalMessageKey } from '../streaming/refusedEncoder.js';
import { refusedEncoderOf } from '../streaming/refusedEncoder.service.js';
import { streamingBaseUrl } from '../streaming/streamPath.service.js';
import type { ResponseReader } from './responseReader.js';

/** The members that encoders need of a channel or stream; private views only. */
export function encoderView({ streamPath: path }: { readonly streamPath: string }, config: Config) {
  return { streamingBaseUrl: streamingBaseUrl(config), streamPath: path };
}

/** The member of the last rejected encoder of a stream (`docs/contract.md#fields-refused-encoder`); empty if there is none. */
export async function refusedEncoderView(streamId: string, { ctx, language, zone }: ResponseReader) {
  const refused = await refusedEncoderOf(ctx, streamId);
  if (!refused) return {};
  const { reason, at, address, codec = '' } = refused;
  return {
    refusedEncoder: {
      reason,
      message: ctx.translate(language, refusalMessageKey(reason), { codec }),
      date: formatDateTime(new Date(at), zone),
      ...(address === null ? {} : { address }),
    },
  };
}
