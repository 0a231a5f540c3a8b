import { randomUUID } from 'node:crypto';
import { momentsOf } from '../../../shared/platform/formats/format.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import { setRunMedia } from '../../../shared/streaming/liveRun.lifecycle.js';
import { type TestResponse, type TestUser, bodyOf } from '../../support/api.js';
import type { TestOptions } from '../../support/context.js';
import { seedBoxItem, type SeededItem, removeRows } from '../../support/rows.js';
import { makeRun, makeSegment, testRendition, type TestRun } from '../../support/liveStreams.js';
import { back, payInSandbox } from '../../support/payments.js';
import { daysPass } from '../vod/shop.js';
import { openStudio, type Studio } from './studio.js';
import { openService } from '../../support/fixtures.js';
import { LiveSegment } from '../../../shared/streaming/streaming.model.js';

export const perEvent = { paymentMode: 'PAY_PER_VIEW', pricePerView: '4,00' } as const;

/** A studio with operations to broadcast, pay and play events. */
export interface LiveShop extends Studio {
  /** A paid event that is on air for another hour. */
  onAir(members?: object, by?: TestUser): Promise<OnAirEvent>;
  /** Opens a run on a channel and stores one segment. */
  publish(channelId: string, by?: TestUser): Promise<TestRun>;
  /** Stores a segment of the current time. */
  feed(run: TestRun): Promise<void>;
  /** Removes the run's segments, as if the encoder were connected and no segment stored. */
  loseSegments(run: TestRun): Promise<void>;
  /** Sets the clock to `milliseconds` after a moment. */
  advanceTo(moment: Date, milliseconds?: number): void;
  /** Starts a payment: a user on the private path, null on the public path. */
  pay(eventId: string, by: TestUser | null, body?: object): Promise<TestResponse>;
  play(eventId: string, by: TestUser | null, body?: unknown, headers?: Record<string, string>): Promise<TestResponse>;
  /** Pays in the sandbox; resolves with the tracking id. The service has not verified the payment yet. */
  paid(eventId: string, by: TestUser | null): Promise<string>;
  /** `result` of a play request. */
  resultOf(eventId: string, by: TestUser | null, trackingId?: unknown): Promise<string>;
  /** Both paths: with a user, and with a public token. */
  readonly payers: readonly (readonly [string, TestUser | null])[];
}

export interface OnAirEvent {
  readonly eventId: string;
  readonly channelId: string;
  readonly endsAt: Date;
  readonly run: TestRun;
}

/** Marks the recording of an event as stored in the box, unpublished. */
export async function seedRecording({ ctx, publisher }: Studio, eventId: string): Promise<SeededItem> {
  const item = await seedBoxItem(ctx, publisher.userId);
  await ctx.db.change(
    `INSERT INTO live_recordings (event_id, stream_id, owner_id, title, starts_at, ends_at, state, box_item_id, created_at, updated_at)
     SELECT id, channel_id, owner_id, name, starts_at, ends_at, 'INGESTED', $boxId, $now, $now FROM live_events WHERE id = $eventId
     ON CONFLICT (event_id) DO UPDATE SET box_item_id = excluded.box_item_id`,
    { eventId, boxId: item.boxId, now: ctx.clock.now() },
  );
  return item;
}

/** A separate service, in which days may pass. */
export async function openLiveShop(overrides: Record<string, string> = {}, options?: TestOptions): Promise<LiveShop> {
  const service = await openService({ ...daysPass, ...overrides }, options);
  const { ctx } = service;
  const studio = await openStudio(service);
  const { viewer, anybody, publisher } = studio;
  const sale = (action: string, eventId: string, by: TestUser | null, body: unknown, headers = {}) => {
    const path = `/live/event/${eventId}/${action}`;
    return by
      ? studio.post(`/api${path}`, body, by.token, headers)
      : studio.post(`/api/public${path}`, body, anybody, headers);
  };
  const shop: LiveShop = {
    ...studio,
    close: service.close,
    async onAir(members = perEvent, by = publisher) {
      const { eventId, channel, endDate } = await studio.event(0, 60, members, undefined, by);
      const [endsAt] = momentsOf(utc, endDate);
      if (!endsAt) throw new Error('an event without an end');
      return { eventId, channelId: channel.channelId, endsAt, run: await shop.publish(channel.channelId, by) };
    },
    async publish(channelId, by = publisher) {
      const run = await makeRun(ctx, { streamId: channelId, ownerId: by.userId, path: randomUUID() });
      await setRunMedia(ctx, { ...run, renditions: [testRendition('240p')] });
      await shop.feed(run);
      return run;
    },
    async feed(run) {
      await makeSegment(ctx, run, { startsAt: ctx.clock.now(), renditions: ['240p'] });
    },
    async loseSegments({ runId }) {
      await removeRows(ctx, LiveSegment, { runId });
    },
    advanceTo: (moment, milliseconds = 0) =>
      ctx.clock.advance(moment.getTime() + milliseconds - ctx.clock.now().getTime()),
    pay: (eventId, by, body = back) => sale('pay', eventId, by, body),
    play: (eventId, by, body = {}, headers = {}) => sale('play', eventId, by, body, headers),
    async paid(eventId, by) {
      const { trackingId } = bodyOf(200, await shop.pay(eventId, by));
      await payInSandbox(ctx, trackingId);
      return trackingId;
    },
    resultOf: async (eventId, by, trackingId) =>
      bodyOf(200, await shop.play(eventId, by, trackingId === undefined ? {} : { trackingId })).result,
    payers: [
      ['a user', viewer],
      ['a public token', null],
    ],
  };
  return shop;
}
