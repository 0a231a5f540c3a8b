/** `database` decides whether a process is ready. It works without the others, less well. */
export type DependencyName = 'database' | 'queue' | 'search' | 'storage' | 'work' | 'mail';

/** Everybody may read it at `/readyz`: one of a few sentences, without addresses, names and folders. The log has the error. */
export type Reason = string;

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
  /**
   * Checks the dependencies now and again until it is closed. Resolves when the process is ready: by its first check, or by the first one
   * that finds the database working. The log has `ready` when all dependencies have passed.
   */
  watch(): Promise<void>;
  /**
   * Notes a dependency as away where an error of its use says so, and returns true: then the outage is in the log, once. False where the error
   * says nothing of a dependency of this process.
   */
  report(error: unknown): boolean;
  /** The process has got the signal to end. */
  stop(): void;
  isStopping(): boolean;
  close(): void;
}
