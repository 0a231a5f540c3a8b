interface WithParts {
  readonly parts: ContextParts;
}

/** Returns its value in a context, which is created by the first call. */
export type ContextPart<Value, Base = unknown> = (ctx: Base & WithParts) => Value;

/**
 * What domains keep in a context, such as caches: each declares its own part, and no list names them all. Two contexts in one process
 * share nothing; a copy of a context with other members shares the parts of the original.
 */
export class ContextParts {
  readonly #values: Map<unknown, unknown>;
  readonly #closings: (() => unknown)[] = [];
  #isClosed = false;

  /** `values`: what tests put in place of what a part would create. */
  constructor(values: Iterable<readonly [part: unknown, value: unknown]> = []) {
    this.#values = new Map(values);
  }

  /** The value of a part. One that is created after `close` is closed at once. */
  valueOf<Value>(part: unknown, create: () => Value, close?: (value: Value) => unknown): Value {
    if (this.#values.has(part)) return this.#values.get(part) as Value;
    const value = create();
    this.#values.set(part, value);
    if (close && this.#isClosed) close(value);
    else if (close) this.#closings.push(() => close(value));
    return value;
  }

  /** Closes the parts that were created, last in first out. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const close of this.#closings.splice(0).toReversed()) await close();
  }
}

/**
 * Declares a part of every context: `const liveCaches = contextPart(createLiveCaches)`. `liveCaches(ctx)` creates it at its first use.
 * `create` gets the context of that call; `close` is called when the context is closed.
 */
export function contextPart<Value, Base = unknown>(
  create: (ctx: Base) => Value,
  close?: (value: Value) => unknown,
): ContextPart<Value, Base> {
  const part: ContextPart<Value, Base> = (ctx) => ctx.parts.valueOf(part, () => create(ctx), close);
  return part;
}
