import type { Logger } from '../log.js';
import { withTimeout } from '../withTimeout.js';
import { reasonOf, type Reason } from './reason.js';

/** `database` decides whether a process is ready. It works without the others, less well. */
export type DependencyName = 'database' | 'queue' | 'search' | 'storage' | 'work';

/** Null where the part works, else why not. */
export type DependencyState = Reason | null;
export type DependencyStates = Readonly<Partial<Record<DependencyName, DependencyState>>>;

/** Resolves with null where the part works, or with the reason why not; a rejection is turned into its reason. */
export type DependencyCheck = () => Promise<Reason | null | void>;

/** What a process knows about the parts that it uses. */
export interface Readiness {
  /** Checks all parts. Results other than that of the database may be a few seconds old. */
  check(): Promise<DependencyStates>;
  /** As last checked; without the parts that were not checked yet. */
  known(): DependencyStates;
  /** Checks the parts now and again until it is closed. */
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

/** Each change of a part is one line in the log, whoever has asked. */
export function createReadiness(
  log: Logger,
  checks: Readonly<Partial<Record<DependencyName, DependencyCheck>>>,
): Readiness {
  const parts = Object.entries(checks) as [DependencyName, DependencyCheck][];
  const known = new Map<DependencyName, DependencyState>();
  const last = new Map<DependencyName, LastCheck>();
  let isStopping = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  const note = (part: DependencyName, state: DependencyState, error?: unknown): DependencyState => {
    const before = known.get(part);
    known.set(part, state);
    if (isClosed || isStopping || before === state || (before === undefined && state === null)) return state;
    if (state === null) log.info({ part }, `${part} works again`);
    else log[part === 'database' ? 'error' : 'warn']({ part, ...(error ? { err: error } : {}) }, `${part}: ${state}`);
    return state;
  };
  const run = (part: DependencyName, check: DependencyCheck): Promise<DependencyState> =>
    withTimeout(check(), part === 'database' ? checkTimeoutMs.database : checkTimeoutMs.other).then(
      (reason) => note(part, reason ?? null),
      (error: unknown) => note(part, reasonOf(error), error),
    );
  const check = async (otherUsedAgainMs = usedAgainMs): Promise<DependencyStates> => {
    const states = parts.map(async ([part, checkPart]): Promise<[DependencyName, DependencyState]> => {
      const nowMs = performance.now();
      const previous = last.get(part);
      const isFresh = part !== 'database' && previous && nowMs - previous.startedMs < otherUsedAgainMs;
      const latest = isFresh ? previous : { startedMs: nowMs, result: run(part, checkPart) };
      last.set(part, latest);
      return [part, await latest.result];
    });
    return Object.fromEntries(await Promise.all(states));
  };
  const watch = async (isFirst = false): Promise<void> => {
    const wasWell = [...known.values()].every((state) => state === null);
    const states = Object.values(await check(wasWell ? everyMs.otherWhenWell : everyMs.whenNot));
    const isWell = states.every((state) => state === null);
    if (isClosed) return;
    if (isFirst && isWell) log.info({ parts: parts.map(([part]) => part) }, 'all parts work');
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
