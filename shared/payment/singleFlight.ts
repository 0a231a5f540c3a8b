/** Runs `work` for a key; see `createSingleFlight`. */
export type SingleFlight<Result> = (key: string, work: () => Promise<Result>) => Promise<Result>;

interface Flight<Result> {
  readonly current: Promise<Result>;
  next?: Promise<Result>;
}

/**
 * One run per key at a time in this process. Callers that come while a run is under way share one further run, which
 * starts after it. So a result is never older than the call, and many simultaneous calls cost two runs at most.
 */
export function createSingleFlight<Result>(): SingleFlight<Result> {
  const flights = new Map<string, Flight<Result>>();
  const run: SingleFlight<Result> = (key, work) => {
    const running = flights.get(key);
    if (running) {
      running.next ??= ended(running.current).then(() => {
        flights.delete(key);
        return run(key, work);
      });
      return running.next;
    }
    const flight: Flight<Result> = { current: work() };
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
