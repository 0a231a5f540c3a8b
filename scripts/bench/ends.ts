/** What has been begun and is to be ended, last in first out. */
export interface Ends {
  add(end: () => Promise<unknown>): void;
  /** Ends everything once; what fails to end does not keep the rest from it. */
  all(): Promise<void>;
}

export function createEnds(): Ends {
  const ends: (() => Promise<unknown>)[] = [];
  return {
    add: (end) => void ends.push(end),
    async all() {
      for (let end = ends.pop(); end; end = ends.pop()) await end().catch((error: unknown) => console.error(error));
    },
  };
}
