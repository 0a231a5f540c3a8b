import type { Expression, Node } from 'typescript/unstable/ast';

/** What an expression of the source is known to be without running it. */
export type Value =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Value[]
  | ObjectValue
  | FunctionValue
  | UnknownValue;

/** Parameters that have a value, by their declaration. */
export type Bindings = ReadonlyMap<Node, () => Value>;

/** An object literal, or several that are spread into one. */
export class ObjectValue {
  constructor(
    readonly entries: ReadonlyMap<string, Entry>,
    /** What is spread into it and is no literal. */
    readonly spread: readonly UnknownValue[],
  ) {}
}

/** A property of an object literal. */
export interface Entry {
  readonly node: Node;
  readonly expression: Expression;
  readonly read: () => Value;
}

export class FunctionValue {
  constructor(
    readonly node: Node,
    readonly bindings: Bindings,
  ) {}
}

/** A value that exists at run time only. */
export class UnknownValue {
  constructor(
    /** Two unknown values with the same key are equal at run time. */
    readonly key: string,
    /** The expression, whose type tells something about the value. */
    readonly node: Node,
    /** The function whose callers know the value. */
    readonly parameterOf?: Node,
  ) {}
}

/** The statement cannot be known before its parameters are: its function must be evaluated for each of its callers. */
export class OpenParameter extends Error {
  constructor(
    readonly parameterOf: Node,
    readonly node: Node,
  ) {
    super('open parameter');
  }
}

/** The text of an expression is known at run time only. */
export class Unevaluable extends Error {
  constructor(readonly node: Node) {
    super('unevaluable');
  }
}

/**
 * The ways through an evaluation. Whoever meets something that has several possible values asks `choose`; then the evaluation is
 * run again until `next` has been through all combinations. Within one run, one key always has the same choice.
 */
export class Choices {
  readonly #taken: { readonly key: string; readonly count: number; index: number }[] = [];
  #position = 0;

  choose(key: string, count: number): number {
    const known = this.#taken.slice(0, this.#position).find((choice) => choice.key === key);
    if (known) return known.index;
    const replayed = this.#taken[this.#position];
    this.#position++;
    if (replayed) return replayed.index;
    this.#taken.push({ key, count, index: 0 });
    return 0;
  }

  /** Goes on to the next combination. False after the last one. */
  next(): boolean {
    this.#taken.length = this.#position;
    this.#position = 0;
    for (let last = this.#taken.at(-1); last; last = this.#taken.at(-1)) {
      if (++last.index < last.count) return true;
      this.#taken.pop();
    }
    return false;
  }
}
