import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatDateTime } from '../../../shared/platform/formats/format.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';
import type { Context } from '../../../shared/platform/context.js';
import type { TestApi, TestUser } from '../api.js';
import { eventually } from '../eventually.js';
import { createLoggedInUser, setLivePassword } from '../users.js';
import { uploadReady } from '../mediaFixture.js';

/** The content or stream of a program. */
export type Show =
  | { readonly type: 'PRERECORDED'; readonly boxId: string; readonly offsetSeconds?: number }
  | { readonly type: 'LIVE'; readonly streamId: string }
  | { readonly type: 'BREAK' };

/** A program of a daily programming request. */
export interface TestProgram {
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
  readonly endsAt: number;
  readonly show: Show;
}

export interface TestStream {
  readonly streamId: string;
  readonly streamPath: string;
  readonly userCode: string;
  readonly livePassword: string;
}

/** A cast channel with its owner, used only through the API. */
export interface TestStation {
  readonly owner: TestUser;
  readonly channelId: string;
  /** Uploads files and waits until all of them are READY. Workers must run. Resolves with the box ids in the same order. */
  upload(paths: readonly string[]): Promise<string[]>;
  /** `form`: of `POST /api/box/{boxId}/captions`. */
  addCaptions(boxId: string, form: FormData): Promise<void>;
  stream(name: string): Promise<TestStream>;
  /** Stores the programs in their day. Throws the response if it is an error. */
  program(programs: readonly TestProgram[]): Promise<void>;
  /** URL of the master playlist, for a viewer with a public or private token. Waits for the service's first slate. */
  play(token: string): Promise<string>;
}

export async function openStation(ctx: Context, api: TestApi): Promise<TestStation> {
  const owner = await createLoggedInUser(ctx);
  const livePassword = await setLivePassword(ctx, owner.userId);
  const post = async (path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const response = await api.call('POST', path, { token: owner.token, body, headers });
    if (response.status > 201) throw new Error(`${path} responded ${response.status}: ${response.text}`);
    return response.body;
  };
  const named = (name: string) => ({ name, streamPath: `path-${randomBytes(6).toString('hex')}` });
  const { channelId } = (await post('/api/cast/channel', named('Test channel'))) as { channelId: string };
  // It is about noon in the time zone of the requests, so that no test runs near midnight.
  const offsetMs = (12 - new Date().getUTCHours()) * 3_600_000;
  const zone = { [`X-${ctx.config.service.name}-timezone`]: String(offsetMs) };
  return {
    owner,
    channelId,
    upload: (paths) =>
      uploadReady(
        api,
        owner,
        paths.map((path) => ({ path, title: basename(path) })),
      ),
    async addCaptions(boxId, form) {
      const { status, text } = await api.call('POST', `/api/box/${boxId}/captions`, { token: owner.token, body: form });
      if (status !== 201) throw new Error(`captions responded ${status}: ${text}`);
    },
    async stream(name) {
      const { streamId, streamPath } = await post('/api/cast/stream', named(name));
      return { streamId, streamPath, userCode: owner.userCode, livePassword };
    },
    async program(programs) {
      const [first] = programs;
      const { date } = formatDateTime(new Date(first?.startsAt ?? 0), fixedZone(offsetMs));
      const day = date.split('/').toReversed().join('');
      const entries = programs.map(({ title, startsAt, endsAt, show }) => ({
        title,
        startDate: formatDateTime(new Date(startsAt), fixedZone(offsetMs)),
        endDate: formatDateTime(new Date(endsAt), fixedZone(offsetMs)),
        programType: show.type,
        ...(show.type === 'PRERECORDED' ? { sourceId: show.boxId, offset: show.offsetSeconds ?? 0 } : {}),
        ...(show.type === 'LIVE' ? { sourceId: show.streamId } : {}),
      }));
      await post(`/api/cast/channel/${channelId}/dailyprogramming/${day}`, { programs: entries }, zone);
    },
    play: (token) =>
      eventually(
        async () => {
          const { status, body, text } = await api.call('POST', `/api/public/cast/channel/${channelId}/play`, {
            token,
          });
          if (status !== 200 || body.result !== 'PLAY') throw new Error(`play responded ${status}: ${text}`);
          return body.streamer as string;
        },
        { timeoutMs: 60_000, everyMs: 200 },
      ),
  };
}

/** Consecutive programs that start at a given second. */
export function inSequence(
  startsAt: number,
  shows: readonly { readonly title: string; readonly seconds: number; readonly show: Show }[],
): TestProgram[] {
  let time = startsAt;
  return shows.map(({ title, seconds, show }) => {
    const program = { title, show, startsAt: time, endsAt: time + seconds * 1000 };
    time = program.endsAt;
    return program;
  });
}

/** The next full second that is at least so far away, in milliseconds since 1970. */
export function secondIn(seconds: number): number {
  return Math.ceil(Date.now() / 1000 + seconds) * 1000;
}

/** Waits for a time (milliseconds since 1970). For encoders and processes that start and end while a channel plays. */
export function untilTime(at: number): Promise<void> {
  return sleep(Math.max(0, at - Date.now()));
}
