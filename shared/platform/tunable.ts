/**
 * A number that no operator has a reason to change: a rate, a time, a size. It is declared next to the code that uses it, which
 * reads it with `config.limit`. Only code that opens a context, such as a test, can replace it; no environment variable does.
 */
export class Tunable {
  constructor(readonly usual: number) {}
}

/** Tunables of a process with other than their default values. */
export type ChangedTunables = ReadonlyMap<Tunable, number>;

/** The value of a tunable in this process. */
export type ReadTunable = (limit: Tunable) => number;

const usualTunable: ReadTunable = (limit) => limit.usual;

export function tunableReader(changed?: ChangedTunables): ReadTunable {
  return changed ? (limit) => changed.get(limit) ?? limit.usual : usualTunable;
}
