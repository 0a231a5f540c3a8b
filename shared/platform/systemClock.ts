/** The only source of the current time, so that tests can move it. Leases use the database's time instead. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
