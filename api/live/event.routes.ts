import { ownEvent, visibleEvent } from '../../shared/live/event.queries.js';
import {
  createEvent,
  deleteEvent,
  updateEvent,
  type EventChange,
  type EventDescription,
} from '../../shared/live/event.service.js';
import { searchListedEvents, searchOwnEvents, type EventSearch } from '../../shared/live/eventSearch.queries.js';
import type { EventTimes } from '../../shared/live/eventTimes.js';
import { ownerPlayAddress } from '../../shared/playback/liveAddresses.js';
import { ValidationError } from '../../shared/platform/errors.js';
import { readTimes } from '../../shared/platform/formats/localTimes.js';
import { defineRoute, type Route } from '../http/route.js';
import { pageRequestOf, pageResponse, type SearchBody, type SearchRequest } from '../http/searchBody.js';
import {
  channelParams,
  eventBody,
  eventChangeBody,
  eventParams,
  eventResponse,
  foundEventResponse,
  ownEventSearchBody,
  publicEventResponse,
  publicEventSearchBody,
  type EventBody,
  type EventFilters,
} from './live.schemas.js';
import { foundEvent, privateEvent, publicEvent } from '../../shared/views/live.views.js';
import type { TimeZone } from '../../shared/platform/formats/timeZone.js';

/** Live events: `docs/contract.md#live`. Play and pay are in `livePlay.routes.ts`. */
export const eventRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/live/channel/:channelId/event',
    status: 201,
    operationId: 'createLiveEvent',
    summary: 'Create a live event',
    description:
      'On a channel of the caller. Needs `features.livePassword` (400 without); a paid event needs the payment data of the seller. Events of one channel must not overlap: 409.',
    params: channelParams,
    body: eventBody,
    errors: [409],
    response: eventResponse,
    handle: async ({ ctx, userId, params, body, zone }) =>
      privateEvent(await createEvent(ctx, userId, params.channelId, descriptionOf(body, zone)), ctx.config, zone),
  }),
  defineRoute({
    method: 'get',
    path: '/api/live/event/:eventId',
    status: 200,
    operationId: 'getLiveEvent',
    summary: 'Get a live event of the caller',
    description: 'The owner’s view.',
    params: eventParams,
    response: eventResponse,
    handle: async ({ ctx, userId, params, zone }) =>
      privateEvent(await ownEvent(ctx, userId, params.eventId), ctx.config, zone),
  }),
  defineRoute({
    method: 'get',
    path: '/api/public/live/event/:eventId',
    readsReplica: true,
    status: 200,
    operationId: 'getPublicLiveEvent',
    summary: 'Get a live event',
    description: 'The public view, with the publisher of the channel.',
    params: eventParams,
    response: publicEventResponse,
    handle: async ({ ctx, params, zone }) => publicEvent(await visibleEvent(ctx, params.eventId), ctx.config, zone),
  }),
  defineRoute({
    method: 'post',
    path: '/api/live/event/:eventId',
    status: 200,
    operationId: 'updateLiveEvent',
    summary: 'Change a live event',
    description:
      'Only members that are sent change. A body with name, payment mode, start and end replaces the complete event: description, thumbnail and tags that it leaves out are cleared. A change of conditions that buyers have paid for is 409.',
    params: eventParams,
    body: eventChangeBody,
    errors: [409],
    response: eventResponse,
    async handle({ ctx, userId, params, body, zone }) {
      const present = await ownEvent(ctx, userId, params.eventId);
      const event = await updateEvent(ctx, userId, params.eventId, changeOf(body, zone, present), zone);
      return privateEvent(event, ctx.config, zone);
    },
  }),
  defineRoute({
    method: 'delete',
    path: '/api/live/event/:eventId',
    status: 204,
    operationId: 'deleteLiveEvent',
    summary: 'Delete a live event',
    description: '409 if it was paid for and is not over, or if its recording is not in the box yet.',
    params: eventParams,
    errors: [409],
    response: null,
    handle: ({ ctx, userId, params }) => deleteEvent(ctx, userId, params.eventId),
  }),
  defineRoute({
    method: 'post',
    path: '/api/search/live/events',
    status: 200,
    operationId: 'searchLiveEvents',
    summary: 'Search the live events of the caller',
    description:
      'Searches the event (name, description, tags), and the channel unless `channelId` is given. Order: relevance, start, end. Items have a playback URL for the owner.',
    body: ownEventSearchBody,
    response: pageResponse(foundEventResponse),
    async handle({ ctx, userId, principal, body, zone, signal, caller }) {
      const page = await searchOwnEvents(ctx, userId, {
        ...searchOf({ body, signal, caller }),
        public: body.public ?? body.publicEvent,
        recorded: body.recorded ?? body.recordEvent,
      });
      const items = page.items.map((event) => {
        const address = ownerPlayAddress(ctx, event, principal.userCode ?? '');
        return foundEvent(event, address, ctx.config, zone);
      });
      return { ...page, items };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/public/search/live/events',
    readsReplica: true,
    status: 200,
    operationId: 'searchPublicLiveEvents',
    summary: 'Search all live events',
    description:
      'Searches the event, the channel unless `channelId` is given, and the publisher unless `userCode` is given. Order: start, then end, also with `queryString`. Leaves out events whose `publicEvent` is false, and all events of channels whose `public` is false.',
    body: publicEventSearchBody,
    response: pageResponse(publicEventResponse),
    async handle({ ctx, body, zone, signal, caller }) {
      const page = await searchListedEvents(ctx, { ...searchOf({ body, signal, caller }), userCode: body.userCode });
      return { ...page, items: page.items.map((event) => publicEvent(event, ctx.config, zone)) };
    },
  }),
];

/** Throws ValidationError for a local time that does not exist. */
function descriptionOf(body: EventBody, zone: TimeZone): EventDescription {
  const { pricePerView: priceCents = null, publicEvent: isPublic, recordEvent, eventDate, endDate, ...details } = body;
  const times = timesOf({ eventDate, endDate }, zone);
  return { ...details, ...times, priceCents, public: isPublic, recorded: recordEvent };
}

/** The same for a change. `present`: the stored times. */
function changeOf(body: Partial<EventBody>, zone: TimeZone, present: EventTimes): EventChange {
  const { pricePerView: priceCents, publicEvent: isPublic, recordEvent, ...details } = body;
  const { eventDate = present.startsAt, endDate = present.endsAt, ...described } = details;
  const { startsAt, endsAt } = timesOf({ eventDate, endDate }, zone, present);
  return {
    ...described,
    startsAt: body.eventDate && startsAt,
    endsAt: body.endDate && endsAt,
    ...{ priceCents, public: isPublic, recorded: recordEvent },
  };
}

type SentEventTimes = Pick<EventBody, 'eventDate' | 'endDate'>;

function timesOf({ eventDate, endDate }: SentEventTimes, zone: TimeZone, present?: EventTimes): EventTimes {
  const { startsAt, endsAt } = readTimes(zone, { startDate: eventDate, endDate }, present);
  if (startsAt && endsAt) return { startsAt, endsAt };
  const missing = [...(startsAt ? [] : ['eventDate']), ...(endsAt ? [] : ['endDate'])];
  throw new ValidationError(missing.map((field) => ({ field, code: 'noSuchTime', key: 'validation.noSuchTime' })));
}

function searchOf(request: SearchRequest<SearchBody & EventFilters>): EventSearch {
  const { queryString, tags = [], channelId, pastIncluded, conditions = {} } = request.body;
  return {
    text: queryString,
    tags,
    channelId,
    paymentMode: conditions.paymentMode ?? conditions.licenseType,
    pastIncluded,
    page: pageRequestOf(request),
  };
}
