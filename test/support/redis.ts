import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from './eventually.js';
import { freePort } from './deployment.js';

/** A Redis that can be stopped and restarted with its data at the same address. */
export interface TestRedis {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Stops it and removes its data. */
  close(): Promise<void>;
}

/** Tests that start one are declared with `requirements.redis`. */
export async function startTestRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'video-platform-redis-'));
  const port = await freePort();
  let child: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const address = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
      child = spawn('redis-server', [...address, '--appendonly', 'yes', '--maxmemory-policy', 'noeviction'], {
        stdio: 'ignore',
      });
      await eventually(async () => {
        const socket = connect(port, '127.0.0.1');
        await once(socket, 'connect').finally(() => socket.destroy());
      });
    },
    async stop() {
      if (!child || child.exitCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
    async close() {
      await redis.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  await redis.start();
  return redis;
}
