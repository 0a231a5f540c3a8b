import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import { freePort } from '../embedded/freePort.js';
import { NotMeasured } from './figure.js';
import type { BenchContext } from './benchContext.js';

/**
 * URL of a Redis server: REDIS_URL or TEST_REDIS_URL, else a server that is started here and stopped after the figure,
 * configured as in production (append-only file, nothing evicted).
 *
 * @throws NotMeasured if there is neither.
 */
export async function redisUrl(bench: BenchContext): Promise<string> {
  const given = process.env['REDIS_URL'] || process.env['TEST_REDIS_URL'];
  if (given) return given;
  const port = await freePort();
  const folder = await bench.folder();
  const parameters = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const log = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--maxmemory-policy', 'noeviction'];
  const server = withErrorListener(spawn('redis-server', [...parameters, ...log], { stdio: 'ignore', detached: true }));
  await Promise.race([once(server, 'spawn'), once(server, 'error')]).catch(() => {});
  if (server.pid === undefined) throw new NotMeasured('there is no redis-server on the PATH, and REDIS_URL is not set');
  bench.cleanups.add(() => end(server));
  const url = `redis://127.0.0.1:${port}`;
  await waitUntilReady(url, server);
  return url;
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => {});
  try {
    for (const deadline = Date.now() + 10_000; client.status !== 'ready'; await sleep(20)) {
      if (server.exitCode !== null) throw new NotMeasured(`redis-server ends with ${server.exitCode}`);
      if (Date.now() > deadline) throw new NotMeasured('redis-server does not respond');
    }
  } finally {
    client.disconnect();
  }
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  await Promise.race([exit, sleep(3_000, undefined, { ref: false }).then(() => server.kill('SIGKILL'))]);
  await exit;
}
