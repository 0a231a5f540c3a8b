import type { Logger } from '../log.js';
import { withTimeout } from '../withTimeout.js';
import { reasonOf, type Reason } from './reason.js';

/** `database` decides whether a process is ready. It works without the others, less well. */
export type DependencyName = 'database' | 'queue' | 'search' | 'storage' | 'work';

/** Null where the dependency works, else why not. */
export type DependencyState = Reason | null;
export type DependencyStates = Readonly<Partial<Record<DependencyName, DependencyState>>>;

/** Resolves with null where the dependency works, or with the reason why not; a rejection is turned into its reason. */
export type DependencyCheck = () => Promise<Reason | null | void>;

/** What a process knows about the dependencies that it uses. */
export interface Readiness {
  /** Checks all dependencies. Results other than that of the database may be a few seconds old. */
  check(): Promise<DependencyStates>;
  /** As last checked; without the dependencies that were not checked yet. */
  known(): DependencyStates;
  /** Checks the dependencies now and again until it is closed. */
  watch(): void;
  /** The process has got the signal to end. */
  stop(): void;
  isStopping(): boolean;
  close(): void;
}

const checkTimeoutMs = { database: 1_500, other: 3_000 };
/** How long a result is used again: `/readyz` is open to everybody, and these checks cost more than a query. */
const usedAgainMs = 5_000;
/** What is well is looked at less often: an object store charges for each request. */
const everyMs = { whenWell: 10_000, whenNot: 5_000, otherWhenWell: 30_000 };

interface LastCheck {
  readonly startedMs: number;
  readonly result: Promise<DependencyState>;
}

/** Each change of a dependency is one line in the log, whoever has asked. */
export function createReadiness(
  log: Logger,
  checks: Readonly<Partial<Record<DependencyName, DependencyCheck>>>,
): Readiness {
  const dependencies = Object.entries(checks) as [DependencyName, DependencyCheck][];
  const known = new Map<DependencyName, DependencyState>();
  const last = new Map<DependencyName, LastCheck>();
  let isStopping = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const note = (dependency: DependencyName, state: DependencyState, error?: unknown): DependencyState => {
    const before = known.get(dependency);
    known.set(dependency, state);
    if (isClosed || isStopping || before === state || (before === undefined && state === null)) return state;
    if (state === null) log.info({ dependency }, `${dependency} works again`);
    else
      log[dependency === 'database' ? 'error' : 'warn'](
        { dependency, ...(error ? { err: error } : {}) },
        `${dependency}: ${state}`,
      );
    return state;
  };
  const run = (dependency: DependencyName, check: DependencyCheck): Promise<DependencyState> =>
    withTimeout(check(), dependency === 'database' ? checkTimeoutMs.database : checkTimeoutMs.other).then(
      (reason) => note(dependency, reason ?? null),
      (error: unknown) => note(dependency, reasonOf(error), error),
    );
  const check = async (otherUsedAgainMs = usedAgainMs): Promise<DependencyStates> => {
    const states = dependencies.map(
      async ([dependency, checkDependency]): Promise<[DependencyName, DependencyState]> => {
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
  const watch = async (isFirst = false): Promise<void> => {
    const wasWell = [...known.values()].every((state) => state === null);
    const states = Object.values(await check(wasWell ? everyMs.otherWhenWell : everyMs.whenNot));
    const isWell = states.every((state) => state === null);
    if (isClosed) return;
    if (isFirst && isWell)
      log.info({ dependencies: dependencies.map(([dependency]) => dependency) }, 'all dependencies work');
    timer = setTimeout(() => void watch(), isWell ? everyMs.whenWell : everyMs.whenNot).unref();
  };
  return {
    check: () => check(),
    known: () => Object.fromEntries(known),
    watch: () => void watch(true),
    stop: () => (isStopping = true),
    isStopping: () => isStopping,
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
