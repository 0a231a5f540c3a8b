import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { startTestDatabase, type TestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { CastPlayout, CastProgram } from '../../shared/cast/cast.model.js';
import { createCastChannel } from '../../shared/cast/castChannel.service.js';
import { extendChannel } from '../../shared/cast/cast.jobs.js';
import { schedule } from '../../workers/schedule.js';
import { publicToken } from '../support/api.js';
import { seedDayContent, watchPlaylists, type PlaylistWatch } from './playlistWatch.js';
import { expectJoined, playoutFixtureOf, type PlayoutFixture, type Shown } from '../support/cast/playoutFixture.js';
import { openDeployment, type TestDeployment, type BuiltProcess, freePort } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { waitingStatements } from '../support/statements.js';

const settings = {
  CAST_MAX_HEIGHT: '240',
  WORKER_QUEUES: 'daily-programming',
  WORKER_LOCK_SECONDS: '3',
};
const daySeconds = 24 * 3_600;

/**
 * Two web processes continuously serve the playlists of two channels, one with short programs and one with programs of 24 h. After
 * each crash both playlists continue in both processes with equal bytes.
 */
describe('cast channels whose processes are killed', function () {
  this.timeout(300_000);
  let database: TestDatabase;
  let deployment: TestDeployment;
  let fixture: PlayoutFixture;
  let ports: string[];
  let webs: BuiltProcess[];
  let worker: BuiltProcess;
  let watched: { channelId: string; watch: PlaylistWatch }[];
  /** A channel without viewers. */
  let unwatched: string;

  const startWeb = (index: number) => deployment.start('web', { PORT: ports[index] ?? '' });

  before(async () => {
    database = await startTestDatabase();
    deployment = await openDeployment(settings, database.url);
    const { ctx } = deployment;
    ports = [ctx.env['PORT'] ?? '', String(await freePort())];
    webs = await Promise.all([startWeb(0), startWeb(1)]);
    worker = await deployment.start('worker');
    fixture = await playoutFixtureOf(ctx, deployment.api);
    ctx.clock.advance(Date.now() - ctx.clock.now().getTime());
    const { boxId } = await seedDayContent(ctx, fixture.owner.userId);
    const shorts = Array.from({ length: 60 }, (_, index) => shortPrograms(boxId, index)).flat();
    const [short, long] = [await makeChannel(-30, shorts), await makeChannel(70 - daySeconds, dayPrograms(boxId))];
    unwatched = await makeChannel(-30, shorts);
    watched = await Promise.all([short, long].map(async (channelId) => ({ channelId, watch: await watch(channelId) })));
  });
  after(async () => {
    await deployment?.close();
    await database?.stop();
  });

  async function makeChannel(startSeconds: number, programs: readonly (readonly [number, Shown])[]): Promise<string> {
    const body = { name: 'Channel one', streamPath: `path-${randomUUID()}` };
    const { id } = await createCastChannel(deployment.ctx, fixture.owner.userId, body);
    await fixture.program(id, startSeconds, programs);
    return id;
  }

  /** Waits for the default slate. */
  async function watch(channelId: string): Promise<PlaylistWatch> {
    const { api } = deployment;
    const token = await publicToken(api);
    const address = await eventually(
      async () => {
        const { body, text } = await api.call('POST', `/api/public/cast/channel/${channelId}/play`, { token });
        expect(body.result, text).to.equal('PLAY');
        return (body.streamer as string).replace('master.m3u8', 'video-240p.m3u8');
      },
      { timeoutMs: 60_000, everyMs: 200 },
    );
    return watchPlaylists(ports.map((port) => address.replace(/:\d+\//, `:${port}/`)));
  }

  /** `end` is called while a worker decides both channels. */
  async function whileDeciding(end: () => Promise<unknown>): Promise<void> {
    const { ctx } = deployment;
    await ctx.db.transaction(async (tx) => {
      await ctx.db.change('LOCK TABLE cast_airings IN SHARE MODE', {}, tx);
      await eventually(
        async () => {
          await ctx.db.transaction((other) => ctx.outbox.addMany(other, extendChannel, jobs()));
          expect(await waitingStatements(ctx)).to.be.at.least(2);
        },
        { timeoutMs: 60_000, everyMs: 1_000 },
      );
      await end();
    });
  }

  /** Expects that all playlists continue and each airing is decided once. */
  async function expectGoingOn(): Promise<void> {
    for (const { channelId, watch: playlists } of watched) {
      await playlists.more(3);
      expectJoined(await fixture.airings(channelId));
    }
  }

  for (const index of [0, 1])
    it(`continue when web process ${index + 1} is killed while it responds to viewers`, async () => {
      await (webs[index] as BuiltProcess).end('SIGKILL');
      webs[index] = await startWeb(index);
      await expectGoingOn();
    });

  it('continue when a worker is killed while it extends their playout', async () => {
    for (let round = 0; round < 3; round += 1) {
      await whileDeciding(() => worker.end('SIGKILL'));
      worker = await deployment.start('worker');
    }
    await expectGoingOn();
  });

  const jobs = () => watched.map(({ channelId }) => ({ payload: { channelId } }));

  it('continue when the database is killed during two playout statements', async () => {
    const restarted = whileDeciding(() => database.restart(5_000)).catch((error: Error) => error);
    expect(await restarted, 'the lock is lost').to.be.an('error');
    await expectGoingOn();
  });

  it('continue when one of two clocks is killed while it enqueues jobs, each of which is enqueued once', async () => {
    const { ctx } = deployment;
    const startClock = () => deployment.start('clock', { LOG_LEVEL: 'info' });
    const [killed, other] = await Promise.all([startClock(), startClock()]);
    const minute = await nextMinute(2);
    await ctx.db.transaction(async (tx) => {
      await ctx.db.change('LOCK TABLE clock_ticks IN SHARE MODE', {}, tx);
      await eventually(async () => expect(await waitingStatements(ctx)).to.be.at.least(everyMinute.length + 1));
      await killed.end('SIGKILL');
    });
    await expectEnqueued([killed, other], minute);
    expect(enqueuedBy(killed, minute)).to.deep.equal([]);
    const decided = async (): Promise<number> =>
      (await ctx.db.model(CastPlayout).findByPk(unwatched))?.decidedUntil ?? Number.NEGATIVE_INFINITY;
    await eventually(async () => expect(await decided()).to.be.above(minute.getTime() * 1000));
    const clocks = [await startClock(), other];
    const next = await nextMinute(0);
    await expectEnqueued(clocks, next);
    await eventually(async () => expect(await decided()).to.be.above((next.getTime() + 60_000) * 1000));
    expectJoined(await fixture.airings(unwatched));
    await expectGoingOn();
  });

  it('continue without a difference when all workers are down for 50 s', async () => {
    await worker.end('SIGKILL');
    const endsAt = performance.now() + 50_000;
    while (performance.now() < endsAt) for (const { watch: playlists } of watched) await playlists.more(1);
    worker = await deployment.start('worker');
    await expectGoingOn();
  });

  it('continue when all processes are killed, with equal playlists and 24 h programs at their correct second', async () => {
    for (const { watch: playlists } of watched) expect(await playlists.stop()).to.be.above(10);
    const channelId = watched[1]?.channelId ?? '';
    const programs = await deployment.ctx.db.model(CastProgram).findAll({ where: { channelId } });
    const shown = new Set<string>();
    for (const { programId, source, startsAt } of await fixture.airings(channelId)) {
      const program = programs.find(({ id }) => id === programId);
      if (!program || source.kind !== 'CONTENT') continue;
      shown.add(program.id);
      expect(source.first * 4, 'seconds of the content').to.be.closeTo(
        startsAt / 1e6 - program.startsAt.getTime() / 1000,
        4,
      );
    }
    expect(shown.size, 'programs of 24 h').to.equal(2);
  });
});

function shortPrograms(boxItemId: string, index: number): (readonly [number, Shown])[] {
  return [
    [7, { boxItemId, offsetSeconds: index * 60 }],
    [5, null],
  ];
}

function dayPrograms(boxItemId: string): (readonly [number, Shown])[] {
  return [
    [daySeconds, { boxItemId }],
    [daySeconds, { boxItemId }],
  ];
}

const everyMinute = schedule.filter(({ cron, when }) => cron === '* * * * *' && !when).map(({ name }) => name);

/** Waits until this number of seconds before the next minute. Resolves with that minute. */
async function nextMinute(seconds: number): Promise<Date> {
  const minute = new Date((Math.floor(Date.now() / 60_000) + 1) * 60_000);
  await sleep(Math.max(0, minute.getTime() - Date.now() - seconds * 1000));
  return minute;
}

/** The tasks of a minute that a clock has logged as enqueued. */
function enqueuedBy(clock: BuiltProcess, minute: Date): string[] {
  const lines = clock
    .output()
    .split('\n')
    .filter((line) => line.includes('"scheduled job enqueued"'));
  const logged = lines.map((line) => JSON.parse(line) as { task: string; minute: string });
  return logged.filter((one) => one.minute === minute.toISOString()).map(({ task }) => task);
}

async function expectEnqueued(clocks: readonly BuiltProcess[], minute: Date): Promise<void> {
  const tasks = (): string[] =>
    clocks.flatMap((clock) => enqueuedBy(clock, minute)).filter((task) => everyMinute.includes(task));
  await eventually(() => expect(tasks()).to.include.members(everyMinute));
  await sleep(1_000);
  expect(tasks().toSorted()).to.deep.equal(everyMinute.toSorted());
}
