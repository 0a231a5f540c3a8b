import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import sinon from 'sinon';
import { CastCut, CastProgram, CastSlate } from '../../../shared/cast/cast.model.js';
import { extendChannel } from '../../../shared/cast/cast.jobs.js';
import { createCastChannel } from '../../../shared/cast/castChannel.service.js';
import { airingsBetween } from '../../../shared/cast/airing.queries.js';
import { airingEnd, type Airing } from '../../../shared/cast/playout/index.js';
import type { Context } from '../../../shared/platform/context.js';
import type { ProcessContext } from '../../../shared/platform/processContext.js';
import { seedBoxItem, type SeededItem } from '../rows.js';
import { sharedService } from '../fixtures.js';
import { createLoggedInUser, type TestUser } from '../users.js';
import type { TestApi } from '../api.js';
import { prepareCastHandler } from '../../../workers/daily-programming/prepareCast.js';
import { jobRunOf } from '../workers.js';

/** The content or stream of a program; null: a break. */
export type Shown =
  | { readonly boxItemId: string; readonly offsetSeconds?: number }
  | { readonly streamId: string }
  | null;

export interface PlayoutFixture {
  readonly ctx: ProcessContext & { readonly clock: { advance(milliseconds: number): void } };
  readonly api: TestApi;
  readonly owner: TestUser;
  /** Creates a channel with a slate. */
  channel(): Promise<string>;
  /** A READY content with 25 frames per second. */
  item(seconds: number): Promise<SeededItem>;
  /** Consecutive programs that start `startSeconds` after the current full second. Resolves with their ids. */
  program(
    channelId: string,
    startSeconds: number,
    programs: readonly (readonly [seconds: number, Shown])[],
  ): Promise<string[]>;
  /** All decided airings of a channel, in order. */
  airings(channelId: string): Promise<Airing[]>;
}

/** The current full second of the test clock, in microseconds since 1970. */
export function presentSecond(ctx: Context): number {
  return Math.floor(ctx.clock.now().getTime() / 1000) * 1e6;
}

/** The channels that `work` enqueues `cast.extend` for. Rows of the outbox do not show this: they are published at any moment. */
export async function extendedBy(ctx: Context, work: () => Promise<unknown>): Promise<string[]> {
  const [add, addMany] = [sinon.spy(ctx.outbox, 'add'), sinon.spy(ctx.outbox, 'addMany')];
  try {
    await work();
  } finally {
    add.restore();
    addMany.restore();
  }
  const payloads = [
    ...add.args.map(([, job, payload]) => ({ job, payload })),
    ...addMany.args.flatMap(([, job, entries]) => entries.map(({ payload }) => ({ job, payload }))),
  ];
  return payloads
    .filter(({ job }) => job.name === extendChannel.name)
    .map(({ payload }) => (payload as { channelId: string }).channelId);
}

/** Opens a fixture on the shared service. */
export async function openPlayoutFixture(): Promise<PlayoutFixture> {
  const { ctx, api } = await sharedService();
  return playoutFixtureOf(ctx, api);
}

export async function playoutFixtureOf(ctx: PlayoutFixture['ctx'], api: TestApi): Promise<PlayoutFixture> {
  const owner = await createLoggedInUser(ctx);
  return {
    ...{ ctx, api, owner },
    async channel() {
      const created = await createCastChannel(ctx, owner.userId, {
        name: 'Channel one',
        streamPath: `path-${randomUUID()}`,
      });
      await addSlate(ctx, created.id);
      return created.id;
    },
    item: (seconds) => seedBoxItem(ctx, owner.userId, { durationMs: seconds * 1000 }),
    async program(channelId, startSeconds, programs) {
      const now = ctx.clock.now();
      let time = presentSecond(ctx) / 1000 + startSeconds * 1000;
      const ids: string[] = [];
      for (const [seconds, shown] of programs) {
        const id = randomUUID();
        await ctx.db.model(CastProgram).create({
          ...{ id, channelId, ownerId: owner.userId, title: 'Program', createdAt: now, updatedAt: now },
          startsAt: new Date(time),
          endsAt: new Date((time += seconds * 1000)),
          ...columnsOf(shown),
        });
        ids.push(id);
      }
      return ids;
    },
    airings: (channelId) => airingsBetween(ctx, { channelId, from: 0, until: Number.MAX_SAFE_INTEGER }),
  };
}

function columnsOf(shown: Shown): Pick<CastProgram, 'type'> & Partial<CastProgram> {
  if (shown === null) return { type: 'BREAK' };
  return 'streamId' in shown ? { type: 'LIVE', ...shown } : { type: 'PRERECORDED', ...shown };
}

const day = 24 * 3_600_000;

/** Inserts the row of a stored slate, without a channel that of the default slate. Resolves with its id. */
export async function addSlate(ctx: Context, channelId: string | null): Promise<string> {
  const [id, now] = [randomUUID(), ctx.clock.now()];
  await ctx.db.model(CastSlate).create({
    ...{ id, channelId, digest: id, lines: [], state: 'READY', folder: `${id}-0`, renditions: [], createdAt: now },
    showsFrom: new Date(now.getTime() - day),
    neededUntil: new Date(now.getTime() + 365 * day),
  });
  return id;
}

/** Inserts the row of a stored cut. Resolves with its id. */
export async function addCut(
  ctx: Context,
  contentId: string,
  [firstFrame, endFrame]: readonly [number, number],
): Promise<string> {
  const [id, now] = [randomUUID(), ctx.clock.now()];
  await ctx.db.model(CastCut).create({
    ...{ id, contentId, generation: 1, firstFrame, endFrame, state: 'READY', folder: `${id}-0`, renditions: [] },
    ...{ neededUntil: new Date(now.getTime() + day), createdAt: now },
  });
  return id;
}

/** Expects airings with consecutive numbers and times. */
export function expectJoined(airings: readonly Airing[]): void {
  airings.slice(1).forEach((airing, index) => {
    const before = airings[index] as Airing;
    expect(airing.sequence).to.equal(before.sequence + before.durations.length);
    expect(airing.discontinuity - before.discontinuity).to.be.oneOf([0, 1]);
    expect(airing.startsAt).to.equal(airingEnd(before));
  });
}

export interface ProgramMembers {
  readonly type?: 'PRERECORDED' | 'LIVE' | 'BREAK';
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly thumbnailId?: string;
  readonly failureKey?: string;
  readonly boxItemId?: string;
  /** With `LIVE`. */
  readonly streamId?: string;
}

/** Inserts a program from and until so many minutes after now, without checks. Resolves with its id. */
export async function addProgram(
  ctx: Context,
  { channelId, owner }: { readonly channelId: string; readonly owner: Pick<TestUser, 'userId'> },
  [start, end]: readonly [startMinutes: number, endMinutes: number],
  members: ProgramMembers = {},
): Promise<string> {
  const id = randomUUID();
  const now = ctx.clock.now();
  const at = (minutes: number): Date => new Date(Math.floor((now.getTime() + minutes * 60_000) / 1000) * 1000);
  const { type = 'PRERECORDED', tags = [], boxItemId = randomUUID(), streamId = randomUUID(), ...rest } = members;
  await ctx.db.transaction(async (transaction) => {
    await ctx.db.model(CastProgram).create(
      {
        ...{ id, channelId, ownerId: owner.userId, type, startsAt: at(start), endsAt: at(end), title: 'Program' },
        ...{ tags: [...tags], createdAt: now, updatedAt: now, ...rest },
        boxItemId: type === 'PRERECORDED' ? boxItemId : null,
        streamId: type === 'LIVE' ? streamId : null,
      },
      { transaction },
    );
    await ctx.search.markDirty(transaction, 'castProgram', id);
  });
  return id;
}

/** Prepares all waiting cuts and slates as the job does, without a queue. Rejects as the job does. */
export async function prepareAll(ctx: ProcessContext): Promise<unknown> {
  return prepareCastHandler(jobRunOf(ctx, { id: randomUUID() }, { isLastAttempt: false }));
}
