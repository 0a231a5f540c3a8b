import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { CastProgram } from '../../../shared/cast/cast.model.js';
import { airingsBetween } from '../../../shared/cast/airing.queries.js';
import { extendPlayout } from '../../../shared/cast/playout.service.js';
import { checkRights } from '../../../shared/cast/programming/rights.service.js';
import { formatDateTime, momentsOf, type WireDateTime } from '../../../shared/platform/formats/format.js';
import { utc } from '../../../shared/platform/formats/timeZone.js';
import { startApi, type TestApi, bodyOf } from '../../support/api.js';
import { addSlate } from '../../support/cast/playoutFixture.js';
import { Random } from '../../support/cast/random.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { programsIn } from '../../support/xmltv.js';
import { createLoggedInUser, type TestUser } from '../../support/users.js';
import { Content } from '../../../shared/content/content.model.js';
import type { Airing } from '../../../shared/cast/playout/index.js';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const freezeSeconds = 600;
/** Three quarters of the freeze time are decided ahead. */
const maxStep = 400;
/** The longest pause between two guide requests. The nightly run uses a shorter pause and more edits. */
const maxPause = Number(process.env['CAST_GUIDE_PAUSE_SECONDS'] ?? 1_500);
const pausesOfDay = 86_400 / maxPause;

interface DayProgram {
  readonly programId: string;
  readonly startDate: WireDateTime;
  readonly endDate: WireDateTime;
}

/**
 * Simulates one day of a channel, from midnight to midnight, with the guide and the playout of the service. The day is edited
 * while it is on air; contents become unplayable and playable again. The guide is requested at random seconds, and at the end
 * each answer is compared with the segment that was decided for that second.
 */
describe('the guide of a cast channel', () => {
  let ctx: TestContext;
  let api: TestApi;
  let owner: TestUser;
  let channelId: string;
  let midnight: number;
  const items: { readonly boxId: string; readonly contentId: string; readonly seconds: number }[] = [];
  /** Contents that are not READY. */
  const failed = new Set<string>();
  let streamId: string;
  const random = new Random(20_261_122);
  const below = (limit: number): number => random.between(0, limit - 1);

  before(async function open() {
    this.timeout(20_000);
    ctx = await openTestContext({
      ...{ CAST_FREEZE_SECONDS: String(freezeSeconds), ACCESS_TOKEN_SECONDS: String(10 * 86_400) },
      LOG_LEVEL: 'silent',
    });
    api = await startApi(ctx);
    owner = await createLoggedInUser(ctx);
    const now = ctx.clock.now().getTime();
    midnight = Math.ceil((now + hourMs) / dayMs) * dayMs;
    ctx.clock.advance(midnight - hourMs - now);
    channelId = (await post('/api/cast/channel', { name: 'One', streamPath: randomUUID() })).channelId;
    streamId = (await post('/api/cast/stream', { name: 'Camera', streamPath: randomUUID() })).streamId;
    await addSlate(ctx, channelId);
    for (let number = 0; number < 12; number += 1) {
      const seconds = 120 + below(3_000);
      items.push({ ...(await seedBoxItem(ctx, owner.userId, { durationMs: seconds * 1000 })), seconds });
    }
  });
  after(async () => {
    await api?.close();
    await ctx?.close();
  });

  async function post(path: string, body: object) {
    const response = await api.call('POST', path, { token: owner.token, headers: { 'x-service-timezone': '0' }, body });
    expect(response.status, response.text).to.be.oneOf([200, 201]);
    return response.body;
  }

  const now = (): number => ctx.clock.now().getTime();
  const dayPath = () =>
    `/api/cast/channel/${channelId}/dailyprogramming/${formatDateTime(new Date(midnight), utc).date.split('/').toReversed().join('')}`;
  const timeOf = (date: WireDateTime): number => momentsOf(utc, date)[0]?.getTime() ?? 0;

  /** Keeps the programs that are no longer editable and replaces all later ones, with gaps, which become breaks. */
  async function planRest(): Promise<void> {
    const day = await api.call('GET', dayPath(), { token: owner.token, headers: { 'x-service-timezone': '0' } });
    const free = Math.ceil(now() / 1000) * 1000 + (freezeSeconds + 1) * 1000;
    const kept = (bodyOf(200, day).programs as DayProgram[]).filter(({ startDate }) => timeOf(startDate) < free);
    const entries: object[] = kept.map(({ programId, startDate, endDate }) => ({ programId, startDate, endDate }));
    let time = Math.max(free, midnight + below(120) * 1000, ...kept.map(({ endDate }) => timeOf(endDate)));
    while (time < midnight + dayMs - 1000) {
      const { seconds, source } = nextEntry();
      const [startDate, endDate] = [time, time + seconds * 1000].map((one) => formatDateTime(new Date(one), utc));
      entries.push({ startDate, endDate, title: `T${randomUUID()}`, ...source });
      time += seconds * 1000 + (random.share() < 0.25 ? (1 + below(400)) * 1000 : 0);
    }
    await post(dayPath(), { programs: entries });
  }

  function nextEntry(): { readonly seconds: number; readonly source: object } {
    if (random.share() < 0.04) return { seconds: 30 + below(200), source: { programType: 'LIVE', sourceId: streamId } };
    const ready = items.filter(({ contentId }) => !failed.has(contentId));
    const item = ready[below(ready.length)];
    if (!item) throw new Error('no content is ready');
    const offset = random.share() < 0.5 ? below(60) : 0;
    const seconds = 1 + below(item.seconds - offset);
    return { seconds, source: { programType: 'PRERECORDED', sourceId: item.boxId, ...(offset > 0 ? { offset } : {}) } };
  }

  /**
   * Makes one content unplayable and another one playable again, except those on air or about to be: a decided content plays in
   * any case, for at most `CAST_FREEZE_SECONDS`.
   */
  async function changeContents(): Promise<void> {
    const busy = await ctx.db.rows<{ boxItemId: string }>(
      `SELECT box_item_id FROM cast_programs
        WHERE channel_id = $channelId AND box_item_id IS NOT NULL AND ends_at > $from AND starts_at < $until`,
      { channelId, from: new Date(now() - 10_000), until: new Date(now() + freezeSeconds * 1000) },
    );
    const free = items.filter(({ boxId }) => !busy.some(({ boxItemId }) => boxItemId === boxId));
    for (const state of failed.size > 3 ? (['READY'] as const) : (['FAILED', 'READY'] as const)) {
      const { contentId } = free[below(free.length)] ?? {};
      if (contentId === undefined) continue;
      await changeRow(ctx, Content, contentId, { state });
      if (state === 'FAILED') failed.add(contentId);
      else failed.delete(contentId);
    }
    await checkRights(ctx);
  }

  async function ask(): Promise<Answer> {
    const guide = bodyOf(200, await api.call('GET', `/api/public/cast/channel/${channelId}/guide`));
    return { time: now(), programId: guide.now?.programId ?? null };
  }

  /** The title in the XMLTV guide at this second, or null. */
  async function titleInXmltv(): Promise<string | null> {
    const { text } = await api.call('GET', `/api/public/cast/channel/${channelId}/epg.xml?days=1`);
    return programsIn(text).find(({ start, stop }) => start <= now() && now() < stop)?.title ?? null;
  }

  /** Near a live program, segments are decided only when they are due. */
  async function isLiveNear(): Promise<boolean> {
    const [live] = await ctx.db.rows(
      `SELECT id FROM cast_programs WHERE channel_id = $channelId AND type = 'LIVE' AND ends_at > $from AND starts_at < $until`,
      { channelId, from: new Date(now() - 60_000), until: new Date(now() + maxStep * 1000) },
    );
    return live !== undefined;
  }

  /** Advances the clock and extends the channel as its job does. */
  async function pass(seconds: number): Promise<void> {
    for (let rest = seconds; rest > 0;) {
      const step = Math.min(rest, (await isLiveNear()) ? 45 : maxStep);
      ctx.clock.advance(step * 1000);
      await extendPlayout(ctx, channelId);
      rest -= step;
    }
  }

  it('names the program that plays at every second of a day that is edited on air', async function day() {
    this.timeout(60_000);
    await planRest();
    const answers: Answer[] = [];
    let [edits, failures, titles] = [0, 0, 0];
    while (now() < midnight + dayMs) {
      await pass(10 + below(maxPause));
      answers.push(await ask());
      if (now() >= midnight && random.share() < 0.15) {
        titles += 1;
        const expected = await titleOf(answers.at(-1)?.programId);
        expect(await titleInXmltv(), new Date(now()).toISOString()).to.equal(expected);
      }
      if (random.share() < 0.1 && now() < midnight + dayMs - 2 * hourMs) {
        edits += 1;
        await planRest();
      }
      if (random.share() < 0.06) {
        failures += 1;
        await changeContents();
      }
    }
    await pass(60);
    const airings = await airingsBetween(ctx, { channelId, from: 0, until: Number.MAX_SAFE_INTEGER });
    const programs = await ctx.db.model(CastProgram).findAll({ where: { channelId } });
    const compared = answers.filter(({ time }) => !isNearBoundary(programs, time));
    const untrue = compared.filter((answer) => !agrees(answer, playedAt(airings, answer.time), programs));
    expect(untrue.map(({ time, programId }) => ({ time, programId, airing: playedAt(airings, time) }))).to.deep.equal(
      [],
    );
    expect(compared.length, 'seconds compared').to.be.above(1.4 * pausesOfDay);
    const slates = compared.filter(({ programId }) => programId === null);
    expect(slates.length, 'seconds without a program').to.be.above(0.1 * pausesOfDay);
    expect(edits, 'edits').to.be.above(0.07 * pausesOfDay);
    expect(failures, 'changes of contents').to.be.above(0.03 * pausesOfDay);
    expect(titles, 'seconds compared with the XMLTV guide').to.be.above(0.1 * pausesOfDay);
  });

  async function titleOf(programId: string | null | undefined): Promise<string | null> {
    if (!programId) return null;
    const [program] = await ctx.db.rows<{ title: string }>('SELECT title FROM cast_programs WHERE id = $programId', {
      programId,
    });
    return program?.title ?? null;
  }
});

/** Without a stored cut, a program ends with the nearest segment of 4 s. */
const toleranceMs = 2_100;

/** The guide's current program at a time, in milliseconds since 1970. */
interface Answer {
  readonly time: number;
  /** Id of the program in the JSON guide, or null. */
  readonly programId: string | null;
}

/** The airing at a time, or null before any decision. */
function playedAt(airings: readonly Airing[], time: number): Airing | null {
  const length = ({ durations }: Airing): number => durations.reduce((sum, duration) => sum + duration, 0);
  return (
    airings.find((airing) => airing.startsAt <= time * 1000 && time * 1000 < airing.startsAt + length(airing)) ?? null
  );
}

/** Whether the guide agrees with the airing. The guide also lists a live program without an encoder, as in this test. */
function agrees({ programId }: Answer, airing: Airing | null, programs: readonly CastProgram[]): boolean {
  if (!airing) return false;
  if (programId === null) return airing.source.kind === 'SLATE';
  const isLive = programs.find(({ id }) => id === programId)?.type === 'LIVE';
  return airing.programId === programId && (isLive || airing.source.kind !== 'SLATE');
}

function isNearBoundary(programs: readonly CastProgram[], time: number): boolean {
  return programs.some(({ startsAt, endsAt }) =>
    [startsAt, endsAt].some((boundary) => Math.abs(boundary.getTime() - time) <= toleranceMs),
  );
}
