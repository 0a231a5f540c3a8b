import { startApi, type TestApi } from './api.js';
import { openTestContext, type TestContext, type TestOptions } from './context.js';
import { useFixture } from './fixtures.js';
import { closeAtEnd, exemptFromLeakCheck } from './openResources.js';

/** A context, and its API on a port. */
export interface SharedService {
  readonly ctx: TestContext;
  readonly api: TestApi;
}

export interface TestService extends SharedService {
  readonly close: () => Promise<void>;
}

/** Opens a separate service. */
export async function openService(overrides: Record<string, string> = {}, options?: TestOptions): Promise<TestService> {
  const ctx = await openTestContext(overrides, options);
  const api = await startApi(ctx);
  return {
    ctx,
    api,
    async close() {
      await api.close();
      await ctx.close();
    },
  };
}

let opened: Promise<TestService> | undefined;

/**
 * The service of this process, opened at the first call: one database, one folder, no workers. Tests create their own users,
 * items and names, do not expect empty tables, and advance the clock only forward. A test that needs an empty
 * database, other settings or workers opens a separate context (`openTestContext`). It is closed after the last test; its
 * `close` does nothing.
 */
export function sharedService(): Promise<TestService> {
  return (opened ??= exemptFromLeakCheck(open));
}

async function open(): Promise<TestService> {
  const { ctx, api, close } = await openService();
  closeAtEnd(close);
  const stay = async (): Promise<void> => {};
  return { ctx: { ...ctx, close: stay }, api: { ...api, close: stay }, close: stay };
}

const leave = (): void => {};

type Settings = Record<string, string>;

/**
 * The shared service for the tests of the calling `describe`, or a separate one with settings or options. A function
 * reads its settings from a fixture that was opened before.
 */
export function serviceFixture(overrides?: Settings | (() => Settings), options?: TestOptions): SharedService {
  const service = useFixture(() => {
    if (!overrides && !options) return sharedService();
    return openService(typeof overrides === 'function' ? overrides() : overrides, options);
  });
  return { ctx: useFixture(() => service.ctx, leave), api: useFixture(() => service.api, leave) };
}
