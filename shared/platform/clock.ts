/** The only source of the present (principle 10 of docs/architecture.md): tests hand in one that they move. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
