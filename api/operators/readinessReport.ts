import type { ProviderName } from '../../shared/payment/payment.settings.js';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import { notMigrated } from '../../shared/platform/readiness/reason.js';
import type { DependencyState, DependencyStates } from '../../shared/platform/readiness/readiness.js';

export interface ReadinessBody {
  /**
   * `degraded`: requests are served, but a dependency does not work. `stopping`: the process has received the signal to end, and
   * completes the requests in progress.
   */
  readonly status: 'ready' | 'degraded' | 'not ready' | 'stopping';
  readonly database: 'ok' | 'away' | 'not migrated';
  readonly queue: 'ok' | 'degraded';
  readonly search: 'ok' | 'degraded';
  readonly storage: 'ok' | 'degraded';
  /** Why a part is not `ok`: one of a few fixed sentences each. */
  readonly reasons: DependencyStates;
  /** The configured payment provider; `none` if sales are impossible. The provider is not checked. */
  readonly payments: ProviderName;
}

/** From now on `/readyz` responds 503 `stopping`, so that load balancers send no further requests to this process. */
export function reportStopping({ readiness }: Pick<ProcessContext, 'readiness'>): void {
  readiness.stop();
}

/** Only the database decides whether the service is ready. Failures of other parts are only reported. */
export async function readinessOf({ readiness, config }: ProcessContext): Promise<ReadinessBody> {
  const parts = await readiness.check();
  const { database = null, queue = null, search = null, storage = null } = parts;
  const reasons = Object.fromEntries(Object.entries(parts).filter(([, state]) => state !== null));
  return {
    status: statusOf(database, Object.keys(reasons).length > 0, readiness.isStopping()),
    database: database === null ? 'ok' : database === notMigrated ? 'not migrated' : 'away',
    ...{ queue: okOrDegraded(queue), search: okOrDegraded(search), storage: okOrDegraded(storage) },
    reasons,
    payments: config.payments.provider,
  };
}

function statusOf(database: DependencyState, hasReasons: boolean, isStopping: boolean): ReadinessBody['status'] {
  if (isStopping) return 'stopping';
  if (database !== null) return 'not ready';
  return hasReasons ? 'degraded' : 'ready';
}

function okOrDegraded(state: DependencyState): 'ok' | 'degraded' {
  return state === null ? 'ok' : 'degraded';
}
