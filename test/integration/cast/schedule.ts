import { expect } from 'chai';
import { type TestResponse, type TestUser, bodyOf } from '../../support/api.js';
import { seedBoxItem, type SeedOptions } from '../../support/rows.js';
import { formatDateTime, type WireDateTime } from '../../../shared/platform/formats/format.js';
import { utc, fixedZone } from '../../../shared/platform/formats/timeZone.js';
import { openStudio, type Studio } from '../live/studio.js';
import { castItem, channelKind, streamKind } from './castItems.js';

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies freely
type Body = any;
type Headers = Readonly<Record<string, string>>;

const dayMs = 24 * 3_600_000;

/** The shared service with a publisher who programs channels. Times are UTC unless headers set a time zone. */
export interface Schedule extends Studio {
  /** The day `days` after today as yyyyMMdd. */
  date(days: number): string;
  /** A date and time on that day: `at(3, '10:00')`. */
  at(days: number, time: string): WireDateTime;
  /** The current day of a channel, in a time zone in which it is about noon. */
  today(channelId: string): Today;
  castChannel(by?: TestUser): Promise<string>;
  castStream(by?: TestUser): Promise<string>;
  /** The id of a box item of `seconds`, READY unless `options` set another state. */
  film(seconds: number, options?: SeedOptions, by?: TestUser): Promise<string>;
  dayPath(channelId: string, days: number): string;
  read(channelId: string, days: number, headers?: Headers): Promise<TestResponse>;
  save(channelId: string, days: number, programs: readonly object[], headers?: Headers): Promise<TestResponse>;
  /** The response body of a saved day. */
  saved(channelId: string, days: number, programs: readonly object[], headers?: Headers): Promise<Body>;
  edit(channelId: string, days: number, operation: string, body: object, headers?: Headers): Promise<TestResponse>;
}

/** A day that is partly decided. */
export interface Today {
  readonly path: string;
  readonly headers: Headers;
  /** A date and time so many seconds after the first editable second. */
  fromFree(seconds: number): WireDateTime;
  save(...programs: readonly object[]): Promise<TestResponse>;
}

export async function openSchedule(): Promise<Schedule> {
  const studio = await openStudio();
  const { ctx } = studio;
  const midnight = (days: number): number => {
    const now = ctx.clock.now().getTime();
    return now - (now % dayMs) + days * dayMs;
  };
  const day = (days: number): WireDateTime => formatDateTime(new Date(midnight(days)), utc);
  const date: Schedule['date'] = (days) => day(days).date.split('/').toReversed().join('');
  const dayPath: Schedule['dayPath'] = (channelId, days) =>
    `/api/cast/channel/${channelId}/dailyprogramming/${date(days)}`;
  const save: Schedule['save'] = (channelId, days, programs, headers) =>
    studio.post(dayPath(channelId, days), { programs }, undefined, headers);
  return {
    ...studio,
    date,
    at: (days, time) => ({ date: day(days).date, time: time.length === 5 ? `${time}:00` : time }),
    today(channelId) {
      const offsetMs = (12 - ctx.clock.now().getUTCHours()) * 3_600_000;
      const headers = { 'x-service-timezone': String(offsetMs) };
      const local = formatDateTime(ctx.clock.now(), fixedZone(offsetMs)).date.split('/').toReversed().join('');
      const path = `/api/cast/channel/${channelId}/dailyprogramming/${local}`;
      return {
        path,
        headers,
        fromFree(seconds) {
          const free = Math.ceil(ctx.clock.now().getTime() / 1000) + ctx.config.cast.freezeSeconds;
          return formatDateTime(new Date((free + seconds) * 1000), fixedZone(offsetMs));
        },
        save: (...programs) => studio.post(path, { programs }, undefined, headers),
      };
    },
    castChannel: (by) => castItem(studio, channelKind, {}, by),
    castStream: (by) => castItem(studio, streamKind, {}, by),
    film: async (seconds, options = {}, by = studio.publisher) =>
      (await seedBoxItem(ctx, by.userId, { durationMs: seconds * 1000, ...options })).boxId,
    dayPath,
    read: (channelId, days, headers) => studio.get(dayPath(channelId, days), undefined, headers),
    save,
    saved: async (...sent) => bodyOf(200, await save(...sent)),
    edit: (channelId, days, operation, body, headers) =>
      studio.post(`${dayPath(channelId, days)}/${operation}`, body, undefined, headers),
  };
}

/** One line per program: `10:00-10:30 BREAK Break`. */
export function worded(programs: readonly Body[]): string[] {
  return programs.map(
    ({ startDate, endDate, itemType, title }) =>
      `${startDate.time.slice(0, 5)}-${endDate.time.slice(0, 5)} ${itemType} ${title}`,
  );
}

export function idsOf(programs: readonly Body[]): string[] {
  return programs.map(({ programId }) => programId);
}

/** Expects the 409 of a change of decided programs. */
export function expectFrozen(response: TestResponse): void {
  const body = bodyOf(409, response);
  expect(body.exception).to.equal('DataIntegrityViolationException');
  expect(body.message).to.match(/^The programming before \d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d can no longer be changed\.$/);
}
