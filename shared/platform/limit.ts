/**
 * A number that no operator has a reason to change: a rate, a time, a size. It stands beside the code that uses it, which reads it with
 * `config.limit`. Only code that opens a context, such as a test, can replace it: no environment variable does.
 */
export class Limit {
  constructor(readonly usual: number) {}
}

/** Limits of a process that are not the usual ones. */
export type ChangedLimits = ReadonlyMap<Limit, number>;

/** The number that a limit has in this process. */
export type ReadLimit = (limit: Limit) => number;

const usualLimit: ReadLimit = (limit) => limit.usual;

export function limitReader(changed?: ChangedLimits): ReadLimit {
  return changed ? (limit) => changed.get(limit) ?? limit.usual : usualLimit;
}
