import { AsyncLocalStorage } from 'node:async_hooks';
import type { Route } from '../../api/http/route.js';
import { concurrency } from '../../shared/platform/concurrency.js';
import type { Context } from '../../shared/platform/context.js';
import { passwordThreads } from '../../shared/platform/security/passwordThreads.js';
import { noteLimit } from './responseCheck.js';

/**
 * A route that consults a limit must document 429, even if no test reaches the limit. Limits are slots of `Concurrency`,
 * password hashes, and attempts in `attempt_counts`.
 */
const requests = new AsyncLocalStorage<Route | undefined>();

/** Attributes all further work of this event to a request of this route. */
export function beginRequest(route: Route | undefined): void {
  requests.enterWith(route);
}

const watched = new WeakSet<object>();

/** Records the requests that consult the limits of a context. */
export function watchLimits(ctx: Context): void {
  watch(concurrency(ctx), 'enter');
  watch(concurrency(ctx), 'runInSlot');
  watch(passwordThreads(ctx), 'derive');
  watch(ctx.db, 'rows', (statement) => String(statement).includes('INSERT INTO attempt_counts'));
}

function watch<Watched extends object>(
  object: Watched,
  method: keyof Watched & string,
  isLimit: (first: unknown) => boolean = () => true,
): void {
  const called = object[method] as (...parameters: unknown[]) => unknown;
  if (watched.has(called)) return;
  const recorded = (...parameters: unknown[]): unknown => {
    const route = requests.getStore();
    if (route && isLimit(parameters[0])) noteLimit(route);
    return called.apply(object, parameters);
  };
  watched.add(recorded);
  object[method] = recorded as never;
}
