import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext, type OpenContext } from '../../shared/openContext.js';
import { DatabaseClock } from '../../shared/platform/database/databaseTime.js';
import type { Clock } from '../../shared/platform/systemClock.js';
import type { Tunable } from '../../shared/platform/tunable.js';
import {
  openPasswordThreads,
  passwordThreads,
  type PasswordCost,
} from '../../shared/platform/security/passwordThreads.js';
import { ContextParts } from '../../shared/platform/contextParts.js';
import { openInOrder } from '../../shared/platform/openInOrder.js';
import { paymentsPerHour } from '../../shared/payment/paymentAttempts.js';
import { paymentCheckSeconds } from '../../shared/payment/payment.lifecycle.js';
import { guardedCallsPerMinute } from '../../shared/platform/throttle/subject.js';
import { refusedPublicationsPerAddress } from '../../shared/streaming/publishAttempts.js';
import { registrationsPerHour } from '../../shared/user/accountAttempts.js';
import { readConfig } from '../../shared/settings.js';
import { createTestDatabase } from './database.js';
import { noteClock } from './recordStatements.js';
import { noteOpened, forbidStorageInTransactions } from './testFaults.js';

/** A clock that tests advance. It starts at the current time and does not run. */
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
  /** The environment of the context, for processes that a test starts with the same settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Changed tunables; a test may modify them. */
  readonly limits: Map<Tunable, number>;
}

/** A hash contains its cost, so that built processes can verify it too. */
const lowPasswordCost = { N: 2 ** 10, r: 8, p: 1 };

/** Options that settings do not cover. */
export interface TestOptions {
  readonly limits?: readonly (readonly [Tunable, number])[];
  readonly databaseServer?: string | undefined;
  /** False: the database is empty. */
  readonly isMigrated?: boolean;
  readonly passwordCost?: PasswordCost;
}

/** Defaults of all tests, because all calls come from one address and payments are queried repeatedly. */
const usualLimits: readonly (readonly [Tunable, number])[] = [
  [guardedCallsPerMinute, 1_000_000],
  [refusedPublicationsPerAddress, 1_000_000],
  [registrationsPerHour, 1_000_000],
  [paymentsPerHour, 1_000_000],
  [paymentCheckSeconds, 0],
];

/**
 * Real PostgreSQL, real queue, real files, in a fresh database and folder, which `close` removes. Password hashing takes a
 * hundredth of the usual time. Processes that a test starts use the default limits of a deployment.
 */
export async function openTestContext(
  overrides: Record<string, string> = {},
  { limits = [], databaseServer, isMigrated = true, passwordCost = lowPasswordCost }: TestOptions = {},
): Promise<TestContext> {
  return openInOrder(async (onClose) => {
    const database = await createTestDatabase(databaseServer, { isMigrated });
    onClose(() => database.close());
    const dataDir = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'video-platform-'));
    onClose(() => rm(dataDir, { recursive: true, force: true }));
    const env = { ...testEnvironment(database.url, dataDir), ...overrides };
    const clock = createTestClock();
    noteClock(database.url, clock);
    const changed = new Map([...usualLimits, ...limits]);
    const config = readConfig('web', env, changed);
    const threads = openPasswordThreads(passwordCost);
    onClose(() => threads.close());
    const context = await openContext(config, { clock, parts: new ContextParts([[passwordThreads, threads]]) });
    forbidStorageInTransactions(context);
    onClose(noteOpened('a context'));
    onClose(() => context.close());
    return { ...context, clock, env, limits: changed };
  });
}

/** The same context in real time: with the clocks of the machine and of the database. */
export function withRealClock(context: TestContext): TestContext {
  return { ...context, clock: { now: () => new Date(), advance: () => {} }, databaseTime: new DatabaseClock() };
}

/** Complete settings of a separate service: database, files and queues that no other test uses. */
export function testEnvironment(databaseUrl: string, dataDir: string): Record<string, string> {
  const redisUrl = process.env['TEST_REDIS_URL'];
  return {
    DATABASE_URL: databaseUrl,
    DATA_DIR: dataDir,
    LOG_LEVEL: process.env['TEST_LOG_LEVEL'] ?? 'silent',
    OAUTH_CLIENT_ID: 'web',
    OAUTH_CLIENT_SECRET: 'web-client-secret',
    INTEGRATION_USER: 'streamer',
    INTEGRATION_PASSWORD: 'streamer-password',
    OPERATOR_USER: 'operator',
    OPERATOR_PASSWORD: 'operator-password',
    PLAYBACK_KEYS: 'k1:0123456789abcdef0123456789abcdef',
    ENCRYPTION_KEY: '0123456789abcdef'.repeat(4),
    PAYMENTS: 'sandbox',
    MAIL_LINK_HOSTS: 'example.org,app.example.org',
    ENCODER_PRESET: 'ultrafast',
    // Tests of quick generations enable it; all other tests would process each video twice.
    QUICK_GENERATION: 'false',
    // No load balancer has to notice that a process stops.
    DRAIN_SECONDS: '0',
    ...(redisUrl ? { REDIS_URL: redisUrl, QUEUE_PREFIX: `t${dataDir.slice(-6)}` } : {}),
    ...meilisearch(dataDir),
    ...(process.env['FFMPEG_PATH'] ? { FFMPEG_PATH: process.env['FFMPEG_PATH'] } : {}),
    ...(process.env['FFPROBE_PATH'] ? { FFPROBE_PATH: process.env['FFPROBE_PATH'] } : {}),
  };
}

/** With `TEST_MEILI_URL`, all searches of the tests use that server, with separate indexes for each service. */
function meilisearch(dataDir: string): Record<string, string> {
  const url = process.env['TEST_MEILI_URL'];
  const key = process.env['TEST_MEILI_API_KEY'] ?? '';
  return url ? { MEILI_URL: url, MEILI_API_KEY: key, MEILI_INDEX_PREFIX: `t${dataDir.slice(-6)}_` } : {};
}
