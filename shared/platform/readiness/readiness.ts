/** `database` decides whether a process is ready. Without the others, the process runs with reduced function. */
export type DependencyName = 'database' | 'queue' | 'search' | 'storage' | 'work' | 'mail';

/** Public at `/readyz`: one of a few fixed sentences, without addresses, names and folders. The error itself is logged. */
export type Reason = string;

/** Null if the dependency works, otherwise the reason. */
export type DependencyState = Reason | null;
export type DependencyStates = Readonly<Partial<Record<DependencyName, DependencyState>>>;

/** Resolves with null if the dependency works, or with the reason; a rejection is converted to a reason. */
export type DependencyCheck = () => Promise<Reason | null | void>;

/** The state of the dependencies of a process. */
export interface Readiness {
  /** Checks all dependencies. Results other than that of the database may be a few seconds old. */
  check(): Promise<DependencyStates>;
  /** Results of the last checks; dependencies that were not checked yet are missing. */
  known(): DependencyStates;
  /**
   * Checks the dependencies periodically until `close`. Resolves when the process is ready: after the first check that finds the
   * database working. `ready` is logged when all dependencies have passed.
   */
  watch(): Promise<void>;
  /**
   * Records a dependency as unreachable if an error means so, logs the outage once, and returns true. False if the error concerns
   * no dependency of this process.
   */
  report(error: unknown): boolean;
  /** The process has received the signal to stop. */
  stop(): void;
  isStopping(): boolean;
  close(): void;
}
