import type { CastStreamDetails } from '../cast/castStream.queries.js';
import type { CastChannelDetails, PublicCastChannel } from '../cast/castChannel.queries.js';
import type { Config } from '../platform/config.js';
import { embedUrl } from './embedUrl.js';
import { namedView } from './describedItem.views.js';
import { encoderView } from './encoder.views.js';
import { publisherView } from './user.views.js';

/** Cast channel of `docs/contract.md#fields-cast-channel`, for its owner. */
export function castChannelView(channel: CastChannelDetails, config: Config) {
  return { ...membersOf(channel, config), ...encoderView(channel, config) };
}

/** The public view: with its publisher, without the path. */
export function publicCastChannelView(channel: PublicCastChannel, config: Config) {
  return { ...membersOf(channel, config), publisher: publisherView(channel.publisher) };
}

/** Cast stream of `docs/contract.md#fields-cast-stream`, for its owner. */
export function castStreamView(stream: CastStreamDetails, config: Config) {
  return { streamId: stream.id, ...namedView(stream), ...encoderView(stream, config) };
}

function membersOf(channel: CastChannelDetails, config: Config) {
  return {
    channelId: channel.id,
    embedUrl: embedUrl(config, 'cast', channel.id),
    ...namedView(channel),
    locked: channel.locked,
  };
}
