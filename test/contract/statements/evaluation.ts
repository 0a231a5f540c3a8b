import type { Expression, Node } from 'typescript/unstable/ast';
import type { Sources } from './sources.js';
import { literalsOf } from './types.js';

/** The statically known value of an expression. */
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

/** The parameters with a known value, by their declaration. */
export type Bindings = ReadonlyMap<Node, () => Value>;

/** An object literal, including the literals that are spread into it. */
export class ObjectValue {
  constructor(
    readonly entries: ReadonlyMap<string, Entry>,
    /** The spread values that are not literals. */
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

/** A value that exists only at run time. */
export class UnknownValue {
  constructor(
    /** Two unknown values with the same key are equal at run time. */
    readonly key: string,
    /** The expression, whose type restricts the value. */
    readonly node: Node,
    /** The function whose callers know the value. */
    readonly parameterOf?: Node,
  ) {}
}

/** The statement depends on parameters: its function must be evaluated for each caller. */
export class OpenParameter extends Error {
  constructor(
    readonly parameterOf: Node,
    readonly node: Node,
  ) {
    super('open parameter');
  }
}

/** The text of an expression is known only at run time. */
export class Unevaluable extends Error {
  constructor(readonly node: Node) {
    super('unevaluable');
  }
}

/**
 * Enumerates the paths of an evaluation. `choose` selects one of several possible values; the evaluation is repeated until `next`
 * has tried all combinations. Within one run, a key always has the same choice.
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

  /** Advances to the next combination. False after the last one. */
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

/** A text that is known only at run time, and a substitute. */
export interface Sample {
  /** A file, or a folder with `/` at its end. */
  readonly path: string;
  readonly expression: string;
  readonly text: string;
}

/** The arguments of the calls that lead to a statement, by parameter. Undefined: the caller omits it. */
export type Callers = ReadonlyMap<Node, Expression | undefined>;

/** One path through one call: the static values of its expressions. */
export abstract class Evaluation {
  constructor(
    readonly sources: Sources,
    readonly callers: Callers,
    private readonly choices: Choices,
    private readonly samples: readonly Sample[],
    private readonly usedSamples: Set<Sample>,
  ) {}

  abstract evaluate(node: Node, bindings: Bindings): Value;

  /** The text of a value in a template. */
  textOf(value: Value, node: Node): string {
    if (value instanceof UnknownValue) return this.#textOfUnknown(value);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
    throw new Unevaluable(node);
  }

  #textOfUnknown(value: UnknownValue): string {
    const file = this.sources.fileOf(value.node);
    const expression = value.node.getText();
    const sample = this.samples.find((known) => known.expression === expression && file.startsWith(known.path));
    if (sample) {
      this.usedSamples.add(sample);
      return sample.text;
    }
    const literals = this.literalsOf(value);
    if (literals) return literals[this.choices.choose(value.key, literals.length)] ?? '';
    if (value.parameterOf) throw new OpenParameter(value.parameterOf, value.node);
    throw new Unevaluable(value.node);
  }

  /** All possible values of an unknown value whose type is a union of literals. */
  literalsOf(value: UnknownValue): readonly string[] | null {
    return literalsOf(this.sources, value.node);
  }

  /** Whether a condition is met. An unknown condition has both results. */
  isTrue(value: Value): boolean {
    return value instanceof UnknownValue ? this.choices.choose(`is ${value.key}`, 2) === 0 : Boolean(value);
  }

  /** The value of an expression that is not evaluated; `of` is the value that it derives from. */
  unknown(node: Node, of?: Value): UnknownValue {
    const key = `${this.sources.placeOf(node)} ${node.pos} ${node.getText()}`;
    return new UnknownValue(key, node, of instanceof UnknownValue ? of.parameterOf : undefined);
  }

  /** A property of an object, or an element of an array. */
  member(object: Value, name: string, node: Node): Value {
    if (object instanceof ObjectValue) {
      const entry = object.entries.get(name);
      if (entry) return entry.read();
      const [spread] = object.spread;
      return spread ? this.member(spread, name, node) : undefined;
    }
    if (Array.isArray(object)) return name === 'length' ? object.length : (object as readonly Value[])[Number(name)];
    if (object instanceof UnknownValue) return new UnknownValue(`${object.key}.${name}`, node, object.parameterOf);
    return this.unknown(node, object);
  }

  /** One of the elements; each is tried. */
  elementOf(values: Value, node: Node): Value {
    if (!Array.isArray(values) || values.length === 0) return this.unknown(node, values);
    const elements = values as readonly Value[];
    return elements[this.choices.choose(`element ${this.unknown(node).key}`, elements.length)];
  }

  /** The result of a function whose body is an expression, or only declares constants and returns. */
  abstract call(called: FunctionValue, given: readonly (() => Value)[], call: Node): Value;
}

/** The type of a value may be narrower at a read than at its declaration. */
export function readAt(node: Node, value: Value): Value {
  return value instanceof UnknownValue ? new UnknownValue(value.key, node, value.parameterOf) : value;
}
