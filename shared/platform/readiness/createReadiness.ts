import type {
  DependencyCheck,
  DependencyState,
  DependencyStates,
  Readiness,
  DependencyName,
  Reason,
} from './readiness.js';
import type { Logger, OutageReceiver } from '../log.js';
import { withTimeout } from '../withTimeout.js';
import { unreachableDependency } from './unreachableDependency.js';
import { checkFailed, isUnreachable, reasonOf, unreachable } from './reason.js';

const checkTimeoutMs = { database: 1_500, other: 3_000 };
/** Results are reused for this long: `/readyz` is public, and these checks cost more than a query. */
const usedAgainMs = 5_000;
/** Checked only while it is unreachable: each check logs in, and mail servers limit logins. */
const onlyWhileUnreachable: DependencyName = 'mail';
/** Interval of checks. Working dependencies are checked less often, because an object store charges per request. */
const everyMs = { whenWell: 10_000, whenNot: 5_000, otherWhenWell: 30_000 };

interface LastCheck {
  readonly startedMs: number;
  readonly result: Promise<DependencyState>;
}

type Dependencies = readonly (readonly [DependencyName, DependencyCheck])[];
/** The logged start state. */
type Start = 'ready' | 'degraded';

/** Logs `ready` or `degraded`, each at most once. Returns the logged state; undefined while the database is unavailable. */
function logStart(
  log: Logger,
  dependencies: Dependencies,
  away: readonly DependencyName[],
  loggedStart: Start | undefined,
): Start | undefined {
  if (loggedStart === 'ready' || (away.length > 0 && (loggedStart || away.includes('database')))) return loggedStart;
  if (away.length === 0) log.info({ dependencies: dependencies.map(([dependency]) => dependency) }, 'ready');
  else log.warn({ away }, 'degraded: ready, some dependencies are unavailable');
  return away.length === 0 ? 'ready' : 'degraded';
}

/** Logs each state change of a dependency once, whichever check or error reports it. `outages` receives errors of use. */
export function createReadiness(
  log: Logger,
  checks: Readonly<Partial<Record<DependencyName, DependencyCheck>>>,
  outages: OutageReceiver = {},
): Readiness {
  const dependencies = Object.entries(checks) as Dependencies;
  const known = new Map<DependencyName, DependencyState>();
  const last = new Map<DependencyName, LastCheck>();
  /** Dependencies whose outage is logged. */
  const logged = new Set<DependencyName>();
  let isStopping = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const note = (dependency: DependencyName, state: DependencyState, error?: unknown): DependencyState => {
    const before = known.get(dependency);
    known.set(dependency, state);
    if (isClosed || isStopping || before === state) return state;
    if (state === null) {
      log[logged.delete(dependency) ? 'info' : 'debug']({ dependency }, `${dependency} works again`);
      return state;
    }
    // An outage of the database also makes queues on PostgreSQL fail, and an outage may show several reasons in a row.
    const cause = unreachableDependency(error) ?? dependency;
    const isOfOther = cause !== dependency && report(error);
    const level = dependency === 'database' ? 'error' : 'warn';
    const isNew = !isOfOther && !(logged.has(dependency) && isUnreachable(before) && isUnreachable(state));
    if (isNew) logged.add(dependency);
    log[isNew ? level : 'debug']({ dependency, ...descriptionOf(error, state) }, `${dependency}: ${state}`);
    return state;
  };
  const report = (error: unknown): boolean => {
    const dependency = unreachableDependency(error);
    if (dependency === null || !(dependency in checks)) return false;
    if (!isUnreachable(known.get(dependency))) note(dependency, stateOf(error), error);
    return true;
  };
  const run = (dependency: DependencyName, check: DependencyCheck): Promise<DependencyState> =>
    withTimeout(check(), dependency === 'database' ? checkTimeoutMs.database : checkTimeoutMs.other).then(
      (reason) => note(dependency, reason ?? null),
      (error: unknown) => note(dependency, stateOf(error), error),
    );
  const check = async (otherUsedAgainMs = usedAgainMs): Promise<DependencyStates> => {
    const states = dependencies.map(
      async ([dependency, checkDependency]): Promise<[DependencyName, DependencyState]> => {
        if (dependency === onlyWhileUnreachable && (known.get(dependency) ?? null) === null) return [dependency, null];
        const nowMs = performance.now();
        const previous = last.get(dependency);
        const isFresh = dependency !== 'database' && previous && nowMs - previous.startedMs < otherUsedAgainMs;
        const latest = isFresh ? previous : { startedMs: nowMs, result: run(dependency, checkDependency) };
        last.set(dependency, latest);
        return [dependency, await latest.result];
      },
    );
    return Object.fromEntries(await Promise.all(states));
  };
  const watch = async (onReady: () => void, loggedStart?: Start): Promise<void> => {
    const wasWell = [...known.values()].every((state) => state === null);
    const states = await check(wasWell ? everyMs.otherWhenWell : everyMs.whenNot);
    if (isClosed || isStopping) return;
    const away = dependencies.map(([dependency]) => dependency).filter((one) => (states[one] ?? null) !== null);
    const isWell = away.length === 0;
    const nextStart = logStart(log, dependencies, away, loggedStart);
    if (nextStart) onReady();
    timer = setTimeout(() => void watch(onReady, nextStart), isWell ? everyMs.whenWell : everyMs.whenNot).unref();
  };
  outages.report = report;
  return {
    check: () => check(),
    known: () => Object.fromEntries(known),
    watch: () => new Promise((resolve) => void watch(resolve)),
    report,
    stop: () => (isStopping = true),
    isStopping: () => isStopping,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** A reason that is safe to publish. Client errors often mean an unreachable server without a more precise cause. */
function stateOf(error: unknown): Reason {
  const reason = reasonOf(error);
  return reason === checkFailed && unreachableDependency(error) !== null ? unreachable : reason;
}

/**
 * An outage is logged with its message only, because no defect needs a stack. Other failures are logged with the complete error.
 */
function descriptionOf(error: unknown, state: Reason): { readonly err?: unknown; readonly detail?: string } {
  if (!error) return {};
  if (!isUnreachable(state)) return { err: error };
  let last = error as { readonly message?: string; readonly cause?: unknown };
  while (typeof last.cause === 'object' && last.cause !== null) last = last.cause;
  return { detail: last.message ?? '' };
}
