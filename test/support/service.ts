import { startApi, type TestApi } from './api.js';
import { openTestContext, type TestContext } from './context.js';
import { closeAtEnd, exemptFromLeakCheck } from './openResources.js';

/** The service that all test files of a mocha process share: its context, and its API on a port. */
export interface SharedService {
  readonly ctx: TestContext;
  readonly api: TestApi;
}

/** Limits that count per address would otherwise be reached by the calls of many files together. */
const withoutLimits = {
  GUARDED_CALLS_PER_MINUTE: '1000000',
  REGISTRATIONS_PER_HOUR: '1000000',
  PAYMENTS_PER_HOUR: '1000000',
};

let opened: Promise<SharedService> | undefined;

/**
 * The service of this process, opened at the first call: one database, one folder, no workers. Tests use users, items
 * and names of their own, expect nothing to be empty, and move the clock only forward. A test that needs an empty
 * database, other settings or workers opens a context of its own (`openTestContext`). It is closed after the last test; its
 * `close` does nothing.
 */
export function sharedService(): Promise<SharedService> {
  return (opened ??= exemptFromLeakCheck(open));
}

async function open(): Promise<SharedService> {
  const context = await openTestContext(withoutLimits);
  const ctx: TestContext = { ...context, close: async () => {} };
  const api = await startApi(ctx);
  closeAtEnd(() => context.close());
  closeAtEnd(() => api.close());
  return { ctx, api: { ...api, close: async () => {} } };
}
