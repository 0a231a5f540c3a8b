import { setTimeout as sleep } from 'node:timers/promises';
import { StartupError } from '../../../scripts/embedded/startupError.js';
import { dataOf, type BoxItem, type components } from '../../../client/index.js';
import { dateTimeMembers, pathDayOf, timeOf, type DateTime } from '../dateTimes.js';
import type { DemoRun } from '../../../scripts/sample/uploadedClip.js';
import { plannedPrograms } from './plannedPrograms.js';

type Run = Pick<DemoRun, 'client' | 'config' | 'signal'>;

type Program = components['schemas']['CastProgram'];

/** A program of the timetable. Times are milliseconds since 1970. */
export interface TimetableProgram {
  readonly title: string;
  readonly kind: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

const name = 'Demo television';
const lengthMs = 10 * 60_000;
/** Delay of the programs at a retry, if the first editable second has passed before the request arrived. */
const laterMs = 10_000;
const attempts = 8;

/** Finds or creates the cast channel of the demo user. */
export async function demoChannel({ client: { api } }: Run): Promise<string> {
  const body = { pageSize: 100, pageIndex: 0 };
  const found = dataOf(await api.POST('/api/search/cast/channels', { body }));
  const before = found.items.find((channel) => channel.name === name);
  if (before) return before.channelId;
  const free = await api.GET('/api/public/cast/streampath', { params: { query: { base: 'demotv' } } });
  const { streamPath } = dataOf(free);
  const channel = { name, streamPath, description: 'Sample clips, one after the other.' };
  return dataOf(await api.POST('/api/cast/channel', { body: channel })).channelId;
}

/**
 * Fills the next ten minutes with programs, after the existing ones. The next two minutes (`CAST_FREEZE_SECONDS`) can no longer be
 * edited: a new channel shows the slate.
 */
export async function fillTenMinutes(run: Run, channelId: string, clips: readonly BoxItem[]): Promise<void> {
  const until = Date.now() + lengthMs;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const firstFree = Date.now() + run.config.cast.freezeSeconds * 1000 + 2_000 + attempt * laterMs;
    const last = (await programs(run, channelId)).at(-1);
    const from = Math.max(Math.ceil(firstFree / 1000) * 1000, last ? timeOf(run.config, last.endDate) : 0);
    if (from >= until) return;
    // The same length, even if the first minutes cannot be edited.
    const added = plannedPrograms(clips, from, from + lengthMs).map(({ startsAt, endsAt, ...program }) => ({
      ...program,
      startDate: dateTimeMembers(run.config, startsAt),
      endDate: dateTimeMembers(run.config, endsAt),
    }));
    if (await saved(run, channelId, added)) return;
    await sleep(500, undefined, { signal: run.signal });
  }
  throw new StartupError('The programs were rejected several times: see the output of npm start.');
}

/** The programs from now on and the previous one, in chronological order. */
export async function timetable(run: Run, channelId: string): Promise<TimetableProgram[]> {
  return (await programs(run, channelId)).map(({ title, itemType, startDate, endDate }) => ({
    title,
    kind: itemType,
    startsAt: timeOf(run.config, startDate),
    endsAt: timeOf(run.config, endDate),
  }));
}

interface Added {
  readonly title: string;
  readonly sourceId?: string;
  readonly startDate: DateTime;
  readonly endDate: DateTime;
  readonly programType: Program['itemType'];
}

/** Saves each day with new programs, together with its existing programs. False if a part is frozen by now. */
async function saved(run: Run, channelId: string, added: readonly Added[]): Promise<boolean> {
  const dayOfProgram = ({ startDate }: Added): string => pathDayOf(run.config, timeOf(run.config, startDate));
  for (const date of new Set(added.map(dayOfProgram))) {
    const stored = (await programsOfDay(run, channelId, date)).map(sent);
    const all = [...stored, ...added.filter((program) => dayOfProgram(program) === date)];
    const answer = await run.client.api.POST('/api/cast/channel/{channelId}/dailyprogramming/{date}', {
      params: { path: { channelId, date } },
      body: { programs: all },
    });
    if (answer.response.status === 409) return false;
    dataOf(answer);
  }
  return true;
}

function sent(program: Program) {
  const { programId, title, startDate, endDate, itemType: programType, boxContent, stream, offset } = program;
  const sourceId = boxContent?.boxId ?? stream?.streamId;
  return {
    ...{ programId, title, startDate, endDate, programType },
    ...(sourceId === undefined ? {} : { sourceId }),
    ...(offset === undefined ? {} : { offset }),
  };
}

/** The programs of the days that contain the ten minutes. */
async function programs(run: Run, channelId: string): Promise<Program[]> {
  const now = Date.now();
  const days = new Set([now, now + lengthMs * 2].map((time) => pathDayOf(run.config, time)));
  const found = await Promise.all([...days].map((day) => programsOfDay(run, channelId, day)));
  return found.flat();
}

async function programsOfDay({ client }: Run, channelId: string, date: string): Promise<Program[]> {
  const day = await client.api.GET('/api/cast/channel/{channelId}/dailyprogramming/{date}', {
    params: { path: { channelId, date } },
  });
  return dataOf(day).programs;
}
