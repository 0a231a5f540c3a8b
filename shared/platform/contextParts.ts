interface WithParts {
  readonly parts: ContextParts;
}

/** Returns the part's value in a context; the first call creates it. */
export type ContextPart<Value, Base = unknown> = (ctx: Base & WithParts) => Value;

/**
 * Objects that domains keep in a context, such as caches. Each domain declares its own parts; there is no central list. Two
 * contexts in one process share nothing; a copy of a context with other members shares the parts of the original.
 */
export class ContextParts {
  readonly #values: Map<unknown, unknown>;
  readonly #closings: (() => unknown)[] = [];
  #isClosed = false;

  /** `values`: replace the values that parts would create, in tests. */
  constructor(values: Iterable<readonly [part: unknown, value: unknown]> = []) {
    this.#values = new Map(values);
  }

  /** The value of a part. A value created after `close` is closed at once. */
  valueOf<Value>(part: unknown, create: () => Value, close?: (value: Value) => unknown): Value {
    if (this.#values.has(part)) return this.#values.get(part) as Value;
    const value = create();
    this.#values.set(part, value);
    if (close && this.#isClosed) close(value);
    else if (close) this.#closings.push(() => close(value));
    return value;
  }

  /** Closes the created parts, last in first out. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const close of this.#closings.splice(0).toReversed()) await close();
  }
}

/**
 * Declares a part of every context: `const liveCaches = contextPart(createLiveCaches)`. The first `liveCaches(ctx)` creates the
 * value. `create` receives the context of that call; `close` is called when the context is closed.
 */
export function contextPart<Value, Base = unknown>(
  create: (ctx: Base) => Value,
  close?: (value: Value) => unknown,
): ContextPart<Value, Base> {
  const part: ContextPart<Value, Base> = (ctx) => ctx.parts.valueOf(part, () => create(ctx), close);
  return part;
}
