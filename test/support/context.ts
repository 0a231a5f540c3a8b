import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext, type OpenContext } from '../../shared/context.js';
import type { Clock } from '../../shared/platform/clock.js';
import { readConfig } from '../../shared/platform/config/config.js';
import { createTestDatabase } from './database.js';
import { noteOpened } from './openResources.js';

/** A clock that stands until it is moved; starts at the real present. */
export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

export function createTestClock(start: Date = new Date()): TestClock {
  let present = start.getTime();
  return {
    now: () => new Date(present),
    advance(milliseconds) {
      present += milliseconds;
    },
  };
}

export interface TestContext extends OpenContext {
  readonly clock: TestClock;
  /** The environment it was made from, for processes that a test starts beside it. */
  readonly env: Readonly<Record<string, string>>;
}

/** Complete settings for a service of its own: database, files and queues that nobody else touches. */
export function testEnvironment(databaseUrl: string, dataDir: string): Record<string, string> {
  const redisUrl = process.env['TEST_REDIS_URL'];
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    OAUTH_CLIENT_ID: 'web',
    OAUTH_CLIENT_SECRET: 'web-secret',
    INTEGRATION_USER: 'streamer',
    INTEGRATION_PASSWORD: 'streamer-secret',
    OPERATOR_USER: 'operator',
    OPERATOR_PASSWORD: 'operator-secret',
    PLAYBACK_KEYS: 'k1:0123456789abcdef0123456789abcdef',
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    ENCODER_PRESET: 'ultrafast',
    ...(redisUrl ? { REDIS_URL: redisUrl, QUEUE_PREFIX: `t${dataDir.slice(-6)}` } : {}),
    ...meilisearch(dataDir),
    ...(process.env['FFMPEG_PATH'] ? { FFMPEG_PATH: process.env['FFMPEG_PATH'] } : {}),
    ...(process.env['FFPROBE_PATH'] ? { FFPROBE_PATH: process.env['FFPROBE_PATH'] } : {}),
  };
}

/** With `TEST_MEILI_URL` every search of the tests goes through that server, each service in indexes of its own. */
function meilisearch(dataDir: string): Record<string, string> {
  const url = process.env['TEST_MEILI_URL'];
  const key = process.env['TEST_MEILI_API_KEY'] ?? '';
  return url ? { MEILI_URL: url, MEILI_API_KEY: key, MEILI_INDEX_PREFIX: `t${dataDir.slice(-6)}_` } : {};
}

/** Real PostgreSQL, real queue, real files, in a fresh database and folder; `close` removes all of it. */
export async function openTestContext(
  overrides: Record<string, string> = {},
  databaseServer?: string,
): Promise<TestContext> {
  const database = await createTestDatabase(databaseServer);
  const dataDir = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'video-platform-'));
  const env = { ...testEnvironment(database.url, dataDir), ...overrides };
  const clock = createTestClock();
  const context = openContext(readConfig('web', env), { clock });
  const closed = noteOpened('a context');
  return {
    ...context,
    clock,
    env,
    async close() {
      await context.close();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
      closed();
    },
  };
}
