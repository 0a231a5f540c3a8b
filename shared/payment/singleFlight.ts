/** Runs `work` for a key; see `createSingleFlight`. `begin` is called by the work when it starts to read what it returns. */
export type SingleFlight<Result> = (key: string, work: (begin: () => void) => Promise<Result>) => Promise<Result>;

interface Flight<Result> {
  readonly current: Promise<Result>;
  hasBegun: boolean;
  next?: Promise<Result>;
}

/**
 * One run per key at a time in this process. Callers that arrive before the work has begun share its result; later callers share
 * one further run, which starts after it. A result is therefore never older than the call, and many concurrent calls cost at most
 * two runs.
 */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();
  const run: SingleFlight<Result> = (key, work) => {
    const running = flights.get(key);
    if (running && !running.hasBegun) return running.current;
    if (running) {
      running.next ??= ended(running.current).then(() => {
        flights.delete(key);
        return run(key, work);
      });
      return running.next;
    }
    const progress = { hasBegun: false };
    const current = work(() => {
      progress.hasBegun = true;
    });
    const flight: Flight<Result> = Object.assign(progress, { current });
    flights.set(key, flight);
    void ended(flight.current).then(() => {
      if (flights.get(key) === flight && !flight.next) flights.delete(key);
    });
    return flight.current;
  };
  return run;
}

async function ended(work: Promise<unknown>): Promise<void> {
  await work.catch(() => {});
}
