import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { reportStopping } from '../../../api/operators/readinessReport.js';
import { isMigrated, schemaHead } from '../../../shared/platform/database/schemaState.js';
import { StartupError } from '../../../scripts/embedded/startupError.js';
import { migrate } from '../../../scripts/migrate.js';
import { migrations } from '../../../scripts/migrations/index.js';
import { askToken, startApi, type TestApi } from '../../support/api.js';
import { openTestContext, type TestContext } from '../../support/context.js';
import { rejection } from '../../support/eventually.js';

const operator = { Authorization: `Basic ${Buffer.from('operator:operator-password').toString('base64')}` };

describe('a service process', () => {
  let ctx: TestContext;
  let api: TestApi;
  let silent: Server;
  let callers: Set<Socket>;

  async function start(settings: Record<string, string> = {}): Promise<void> {
    ctx = await openTestContext(settings);
    api = await startApi(ctx);
  }

  /** A server that accepts connections and never responds. */
  async function silentPort(): Promise<number> {
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    return (silent.address() as { port: number }).port;
  }

  beforeEach(() => {
    callers = new Set();
    silent = createServer((socket) => callers.add(socket));
  });

  afterEach(async () => {
    await api.close();
    await ctx.close();
    silent.close();
    for (const socket of callers) socket.destroy();
  });

  it('rejects data of version 0.x without touching them, and knows the last migration', async () => {
    await start();
    expect(schemaHead).to.equal(migrations.at(-1)?.name);
    await ctx.db.change("INSERT INTO migrations (name) VALUES ('0001-platform')");
    await ctx.db.change('DELETE FROM migrations WHERE name = $schemaHead', { schemaHead });
    const error = await rejection(migrate(ctx.config.database.url));
    expect(error).to.be.instanceOf(StartupError);
    expect(error.message).to.match(/version 0\.x.*empty DATA_DIR/);
    expect(await isMigrated(ctx.db)).to.equal(false);
  });

  it('is alive, and ready on a migrated database, also after migrations of a newer release', async () => {
    await start();
    const response = await api.call('get', '/healthz');
    expect([response.status, response.body]).to.deep.equal([200, { status: 'ok' }]);
    const { status, body } = await api.call('get', '/readyz');
    expect(status).to.equal(200);
    expect(body).to.include({ status: 'ready', database: 'ok', queue: 'ok', storage: 'ok', payments: 'sandbox' });
    expect(body).to.have.keys('status', 'database', 'queue', 'search', 'storage', 'reasons', 'payments');
    await ctx.db.change("INSERT INTO migrations (name) VALUES ('9999-later')");
    expect((await api.call('get', '/readyz')).status).to.equal(200);
  });

  it('is not ready before all migrations have run', async () => {
    await start();
    await ctx.db.change('DELETE FROM migrations WHERE name = $schemaHead', { schemaHead });
    const { status, body } = await api.call('get', '/readyz');
    expect([status, body.status, body.database]).to.deep.equal([503, 'not ready', 'not migrated']);
    expect(body.reasons).to.deep.equal({ database: 'not migrated: run `node dist/scripts/migrate.js`' });
  });

  it('returns 503 for a missing table before all migrations have run, and 500 afterwards', async () => {
    await start();
    await ctx.db.change('ALTER TABLE attempt_counts RENAME TO moved');
    const logIn = () => askToken(api, { grant_type: 'password', username: 'nobody', password: 'nothing' });
    await api.call('get', '/readyz');
    expect((await logIn()).status).to.equal(500);
    await ctx.db.change('DELETE FROM migrations WHERE name = $schemaHead', { schemaHead });
    await api.call('get', '/readyz');
    const { status, headers, body } = await logIn();
    expect([status, body.exception, headers.get('retry-after')]).to.deep.equal([503, 'UnavailableException', '5']);
  });

  it('distinguishes a database without migrations from an unreachable one', async () => {
    await start();
    await ctx.db.change('DROP TABLE migrations');
    const { status, body } = await api.call('get', '/readyz');
    expect([status, body.status, body.database]).to.deep.equal([503, 'not ready', 'not migrated']);
  });

  it('is alive and not ready while the database is down, and responds quickly', async () => {
    const port = await silentPort();
    await start({ DATABASE_URL: `postgres://nobody:x@127.0.0.1:${port}/none`, REDIS_URL: '' });
    const began = performance.now();
    const { status, body } = await api.call('get', '/readyz');
    expect([status, body.database, body.queue]).to.deep.equal([503, 'away', 'degraded']);
    expect(performance.now() - began).to.be.below(4_000);
    expect((await api.call('get', '/healthz')).status).to.equal(200);
  });

  it('stays ready while the queue server is down', async () => {
    await start({ REDIS_URL: `redis://127.0.0.1:${await silentPort()}` });
    const { status, body } = await api.call('get', '/readyz');
    expect([status, body.status, body.queue]).to.deep.equal([200, 'degraded', 'degraded']);
  });

  it('is alive and not ready after the stop signal', async () => {
    await start();
    reportStopping(ctx);
    const { status, body } = await api.call('get', '/readyz');
    expect([status, body.status, body.database]).to.deep.equal([503, 'stopping', 'ok']);
    expect((await api.call('get', '/healthz')).status).to.equal(200);
  });

  it('is degraded if the disk has little space, with a reason that omits the folder', async () => {
    await start({ STORAGE_MIN_FREE_BYTES: String(2 ** 52) });
    const { status, body } = await api.call('get', '/readyz');
    expect([status, body.status, body.storage, body.reasons]).to.deep.equal([
      200,
      'degraded',
      'degraded',
      { storage: 'less than STORAGE_MIN_FREE_BYTES left' },
    ]);
    const { text } = await api.call('get', '/metrics', { headers: operator });
    expect(text)
      .to.match(/\nready\{dependency="storage"[^}]*\} 0\n/)
      .and.match(/\nready\{dependency="database"[^}]*\} 1\n/)
      .and.match(/\nstorage_free_bytes\{folder="storage"[^}]*\} \d{6}/);
  });

  it('serves metrics to operators only, with response counts from 0, so that alerts detect the first failure', async () => {
    await start();
    expect((await api.call('get', '/metrics')).status).to.equal(401);
    const { status, text } = await api.call('get', '/metrics', { headers: operator });
    expect(status).to.equal(200);
    for (const name of [
      ...['outbox_rows', 'outbox_oldest_age_seconds', 'queue_jobs', 'process_resident_memory_bytes'],
      ...['database_pool_connections', 'database_pool_waiting'],
    ])
      expect(text).to.contain(`\n${name}{`);
    expect(text)
      .to.match(/\nhttp_responses_total\{class="5xx"[^}]*\} 0\n/)
      .and.match(/\npayments_total\{provider="sandbox",outcome="ungranted"[^}]*\} 0\n/);
    expect((await api.call('get', '/nowhere')).status).to.equal(404);
    const later = await api.call('get', '/metrics', { headers: operator });
    expect(later.text).to.match(/\nhttp_responses_total\{class="4xx"[^}]*\} 2\n/);
  });

  it('reports the number and the age of jobs in the outbox', async () => {
    await start();
    await ctx.db.change(
      `INSERT INTO outbox (queue, job, job_key, repeats, payload, attempts, backoff_ms, created_at)
       VALUES ('mail', 'a', 'a', 'once', '{}', 1, 1, $before)`,
      { before: new Date(ctx.clock.now().getTime() - 90_000) },
    );
    const { text } = await api.call('get', '/metrics', { headers: operator });
    expect(text)
      .to.match(/\noutbox_rows\{[^}]*\} 1\n/)
      .and.match(/\noutbox_oldest_age_seconds\{[^}]*\} 90\n/);
  });
});
