import Joi, { type ObjectSchema, type SchemaMap } from 'joi';
import type { NamedInput } from '../../shared/content/describedItem.js';
import type { PaymentMode } from '../../shared/live/live.model.js';
import type { SentTime } from '../../shared/platform/formats/format.js';
import { describedChangeBody, namedMembers, namedResponse } from '../http/describedItemFields.js';
import { documented, needs } from '../http/documented.js';
import { choice, dateTime, flag, id, onlyWith, price, publisherResponse, unlessOther, wire } from '../http/fields.js';
import { embedUrlMember } from '../http/embedUrlMember.js';
import { searchBody, userCodeFilter } from '../http/searchBody.js';
import { encoderMembers, streamMembers, requiredStreamMembers, type StreamBody } from '../http/streamMembers.js';

const paymentModes: readonly PaymentMode[] = ['FREE', 'PAY_PER_VIEW'];

export interface LiveChannelBody extends StreamBody {
  readonly public?: boolean;
}

/** Create; `docs/contract.md#live`. */
export const channelBody = Joi.object<LiveChannelBody>({ ...streamMembers, public: flag() });
export const channelChangeBody = describedChangeBody(channelBody, { needed: requiredStreamMembers });

export interface EventBody extends NamedInput {
  readonly paymentMode: PaymentMode;
  /** In cents. */
  readonly pricePerView?: number;
  readonly eventDate: SentTime;
  readonly endDate: SentTime;
  readonly publicEvent?: boolean;
  readonly recordEvent?: boolean;
}

/** Create; `docs/contract.md#live`. */
export const eventBody = Joi.object<EventBody>({
  ...namedMembers,
  paymentMode: choice(paymentModes).required().example('FREE'),
  pricePerView: onlyWith('PAY_PER_VIEW', price().required(), 'paymentMode'),
  eventDate: dateTime().required().description('Start'),
  endDate: dateTime().required().description('After `eventDate`, by at most 24 hours'),
  publicEvent: flag(),
  recordEvent: flag(),
}).meta(documented({ allOf: needs('paymentMode', { PAY_PER_VIEW: ['pricePerView'] }) }));

export const eventChangeBody = describedChangeBody(eventBody, {
  members: { pricePerView: unlessOther('PAY_PER_VIEW', price(), 'paymentMode') },
});

/** A malformed id is 404, like an unknown one. */
export const channelParams = Joi.object<{ channelId: string }>({ channelId: id().required() });
export const eventParams = Joi.object<{ eventId: string }>({ eventId: id().required() });

export const ownLiveChannelSearchBody = searchBody<{ public?: boolean }>({
  public: flag().description('Only public channels, or only those that are not.'),
});
export const publicLiveChannelSearchBody = searchBody<{ userCode?: string }>({ userCode: userCodeFilter });

export interface EventFilters {
  readonly channelId?: string;
  readonly pastIncluded: boolean;
  readonly conditions?: { readonly paymentMode?: PaymentMode; readonly licenseType?: PaymentMode };
}

const eventFilters: SchemaMap = {
  channelId: id().empty('').description('Only events of this channel.'),
  pastIncluded: flag().default(false).description('Also events that are over'),
  conditions: Joi.object({
    paymentMode: choice(paymentModes),
    licenseType: choice(paymentModes).description('Another name of `paymentMode`'),
  }),
};

export interface OwnEventFilters extends EventFilters {
  readonly public?: boolean;
  readonly publicEvent?: boolean;
  readonly recorded?: boolean;
  readonly recordEvent?: boolean;
}

export const ownEventSearchBody = searchBody<OwnEventFilters>({
  ...eventFilters,
  public: flag().description('Only public events, or only those that are not.'),
  publicEvent: flag().description('Another name of `public`'),
  recorded: flag().description('Only events that are recorded, or only those that are not.'),
  recordEvent: flag().description('Another name of `recorded`'),
});

export interface PublicEventFilters extends EventFilters {
  readonly userCode?: string;
}

export const publicEventSearchBody = searchBody<PublicEventFilters>({ ...eventFilters, userCode: userCodeFilter });

const channelMembers: SchemaMap = {
  channelId: wire.id().required(),
  embedUrl: embedUrlMember,
  ...namedResponse,
};

/** Live channel of `docs/contract.md#fields-live-channel`, for its owner. */
export const channelResponse: ObjectSchema = Joi.object({
  ...channelMembers,
  ...encoderMembers,
  public: Joi.boolean().required(),
}).meta({ className: 'LiveChannel' });

/** The public view of a live channel. */
export const publicLiveChannelResponse: ObjectSchema = Joi.object({
  ...channelMembers,
  publisher: publisherResponse.required(),
}).meta({ className: 'PublicLiveChannel' });

const eventMembers: SchemaMap = {
  eventId: wire.id().required(),
  embedUrl: embedUrlMember,
  ...namedResponse,
  paymentMode: Joi.valid(...paymentModes).required(),
  pricePerView: wire.price(),
  eventDate: wire.dateTime().required(),
  endDate: wire.dateTime().required(),
  onAir: Joi.boolean().required(),
};

const privateEventMembers: SchemaMap = {
  ...eventMembers,
  channel: channelResponse.required(),
  publicEvent: Joi.boolean().required(),
  recordEvent: Joi.boolean().required(),
};

/** Live event of `docs/contract.md#fields-live-event`, for its owner. */
export const eventResponse: ObjectSchema = Joi.object(privateEventMembers).meta({ className: 'LiveEvent' });

/** A live event as an item of the private search. */
export const foundEventResponse: ObjectSchema = Joi.object({
  ...privateEventMembers,
  myPlayHlsUrl: Joi.string().required().description('Playback URL for the owner.'),
  playUrlExpireDate: wire.dateTime().required().description('Expiry of `myPlayHlsUrl`.'),
}).meta({ className: 'FoundLiveEvent' });

/** The public view of a live event. */
export const publicEventResponse: ObjectSchema = Joi.object({
  ...eventMembers,
  channel: publicLiveChannelResponse.required(),
}).meta({ className: 'PublicLiveEvent' });
