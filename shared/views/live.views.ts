import type { LiveChannelDetails, PublishedLiveChannel } from '../live/liveChannel.queries.js';
import type { EventDetails, PublishedEvent } from '../live/event.queries.js';
import type { Config } from '../platform/config.js';
import { formatDateTime, formatPrice } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import { embedUrl } from './embedUrl.js';
import { namedView } from './describedItem.views.js';
import { encoderView } from './encoder.views.js';
import { publisherView } from './user.views.js';

/** Live channel of `docs/contract.md#fields-live-channel`, for its owner. */
export function privateLiveChannelView(channel: LiveChannelDetails, config: Config) {
  return {
    ...channelMembersOf(channel, config),
    ...encoderView(channel, config),
    public: channel.public,
  };
}

/** The public view: with its publisher, without the members for encoders. */
export function publicLiveChannelView({ channel, publisher }: PublishedLiveChannel, config: Config) {
  return { ...channelMembersOf(channel, config), publisher: publisherView(publisher) };
}

function channelMembersOf(channel: LiveChannelDetails, config: Config) {
  return { channelId: channel.id, embedUrl: embedUrl(config, 'live', channel.id), ...namedView(channel) };
}

/** Live event of `docs/contract.md#fields-live-event`, for its owner. Times are in the caller's local time. */
export function privateEvent(event: EventDetails, config: Config, zone: TimeZone) {
  return {
    ...membersOf(event, config, zone),
    channel: privateLiveChannelView(event.channel, config),
    publicEvent: event.public,
    recordEvent: event.recorded,
  };
}

/** The item of the private search: with the playback address for its owner. */
export function foundEvent(
  event: EventDetails,
  { url, expiresAt }: { readonly url: string; readonly expiresAt: Date },
  config: Config,
  zone: TimeZone,
) {
  return {
    ...privateEvent(event, config, zone),
    myPlayHlsUrl: url,
    playUrlExpireDate: formatDateTime(expiresAt, zone),
  };
}

/** The public view: with the public view of its channel, which contains the publisher. */
export function publicEvent({ event, publisher }: PublishedEvent, config: Config, zone: TimeZone) {
  return {
    ...membersOf(event, config, zone),
    channel: publicLiveChannelView({ channel: event.channel, publisher }, config),
  };
}

function membersOf(event: EventDetails, config: Config, zone: TimeZone) {
  return {
    eventId: event.id,
    embedUrl: embedUrl(config, 'event', event.id),
    ...namedView(event),
    paymentMode: event.paymentMode,
    ...(event.priceCents === null ? {} : { pricePerView: formatPrice(event.priceCents) }),
    eventDate: formatDateTime(event.startsAt, zone),
    endDate: formatDateTime(event.endsAt, zone),
    onAir: event.isOnAir,
  };
}
