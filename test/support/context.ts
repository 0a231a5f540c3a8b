import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openContext, type OpenContext } from '../../shared/context.js';
import type { Clock } from '../../shared/platform/clock.js';
import type { PasswordCost } from '../../shared/platform/security/passwordThreads.js';
import { readConfig } from '../../shared/settings.js';
import { createTestDatabase } from './database.js';
import { testEnvironment } from './environment.js';
import { noteOpened } from './openResources.js';

/** A clock that does not run; tests move it. It starts at the present time. */
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
  /** The environment it was created from, for processes that a test starts with the same settings. */
  readonly env: Readonly<Record<string, string>>;
}

/** A hash contains its cost, so that built processes verify these too. */
const lowPasswordCost = { N: 2 ** 10, r: 8, p: 1 };

/**
 * Real PostgreSQL, real queue, real files, in a fresh database and folder; `close` removes all of it. Passwords are hashed
 * in a hundredth of the usual time.
 */
export async function openTestContext(
  overrides: Record<string, string> = {},
  databaseServer?: string,
  passwordCost: PasswordCost = lowPasswordCost,
): Promise<TestContext> {
  const database = await createTestDatabase(databaseServer);
  const dataDir = await mkdtemp(join(process.env['TEST_RUN_DIR'] ?? tmpdir(), 'video-platform-'));
  const env = { ...testEnvironment(database.url, dataDir), ...overrides };
  const clock = createTestClock();
  const context = await openContext(readConfig('web', env), { clock, passwordCost });
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
