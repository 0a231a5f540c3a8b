import { openAsBlob } from 'node:fs';
import { expect } from 'chai';
import { apiAt, registerUser, type TestApi } from './api.js';
import { createLimitedUser } from './database.js';
import { openDeployment, untilSettled, uploadClip } from './deployment.js';
import { makeVideo } from './media.js';
import { startPgbouncer } from './pgbouncer.js';
import { freePort, type BuiltProcess } from './processes.js';

export interface PooledProcesses {
  readonly web: number;
  readonly worker: number;
  readonly live: number;
  readonly clock: number;
}

/** Processes that start at the same time: a machine with few processors needs half a minute for all. */
const startedAtOnce = 4;

/**
 * Runs processes behind PgBouncer, with a database user who may have so many connections, of which the pooler has `pooled`. Uploads videos
 * to all web processes, and expects that all are READY and found, and that no request fails meanwhile.
 */
export async function expectServiceBehindPooler(
  processes: PooledProcesses,
  { connections, pooled, uploads }: { connections: number; pooled: number; uploads: number },
): Promise<void> {
  const user = await createLimitedUser(connections);
  const closings = [() => user.close()];
  try {
    const deployment = await openDeployment();
    closings.push(() => deployment.close());
    const { ctx } = deployment;
    const direct = user.addressOf(ctx.config.database.url);
    const pooler = await startPgbouncer(direct, pooled);
    closings.push(() => pooler.close());
    const settings = { DATABASE_URL: pooler.url, QUEUE_DATABASE_URL: direct, QUEUE_DATABASE_POOL_SIZE: '1' };
    const apis: TestApi[] = [];
    const running = await startAll(processes, async (kind) => {
      const port = String(await freePort());
      const started = await deployment.start(kind, { ...settings, PORT: port, RTMP_PORT: '0' });
      if (kind === 'web') apis.push(apiAt(ctx, `http://127.0.0.1:${port}`));
      return started;
    });
    const [first = expect.fail('no web process')] = apis;
    const { token } = await registerUser(first);
    const file = await openAsBlob(await makeVideo());
    const apiOf = (number: number): TestApi => apis[number % apis.length] ?? first;
    const publish = async (number: number): Promise<string> => {
      const { boxId } = await uploadClip(apiOf(number), token, file, `Pooled ${number}`);
      expect(await untilSettled(apiOf(number + 1), token, boxId, 300_000)).to.equal('READY');
      return boxId;
    };
    let isReading = true;
    const reading = apis.map(async (api) => {
      while (isReading) {
        const body = { pageSize: 10, pageIndex: 0, queryString: 'pooled' };
        const { status, text } = await api.call('POST', '/api/search/box/contents', { token, body });
        expect(status, text).to.equal(200);
      }
    });
    await Promise.all(Array.from({ length: uploads }, (_, number) => publish(number))).finally(
      () => (isReading = false),
    );
    await Promise.all(reading);
    const [row] = await ctx.db.rows<{ most: number }>(
      `SELECT count(*)::int AS most FROM pg_stat_activity WHERE usename = $user`,
      { user: user.name },
    );
    expect(row?.most).to.be.within(1, connections);
    for (const one of running) expect(errorLines(one)).to.deep.equal([]);
  } finally {
    for (const close of closings.toReversed()) await close();
  }
}

/** Without those of a response that came late: they tell how busy the machine is. */
function errorLines(one: BuiltProcess): string[] {
  const lines = one.output().split('\n');
  return lines.filter((line) => line.includes('"level":50') && !line.includes('no response in time'));
}

async function startAll(
  processes: PooledProcesses,
  start: (kind: keyof PooledProcesses) => Promise<BuiltProcess>,
): Promise<BuiltProcess[]> {
  const kinds = Object.entries(processes) as [keyof PooledProcesses, number][];
  const all = kinds.flatMap(([kind, count]) => Array.from({ length: count }, () => kind));
  const running: BuiltProcess[] = [];
  while (all.length > 0) running.push(...(await Promise.all(all.splice(0, startedAtOnce).map(start))));
  return running;
}
