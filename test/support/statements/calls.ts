import {
  isArrowFunction,
  isBlock,
  isFunctionDeclaration,
  isIfStatement,
  isReturnStatement,
  isVariableStatement,
  type Node,
} from 'typescript/unstable/ast';
import type { Evaluation } from './evaluation.js';
import { FunctionValue, type Bindings, type Value } from './values.js';

type Read = () => Value;

/** The result of a function whose body declares constants and returns, in branches or at its end. */
export function applyFunction(
  evaluation: Evaluation,
  { node, bindings }: FunctionValue,
  given: readonly Read[],
  call: Node,
): Value {
  if (!isArrowFunction(node) && !isFunctionDeclaration(node)) return evaluation.unknown(call);
  const isAsync = node.modifiers?.some((modifier) => modifier.getText() === 'async') ?? false;
  if (isAsync || !node.body) return evaluation.unknown(call);
  const inner = new Map(bindings);
  node.parameters.forEach((parameter, position) => {
    const { initializer } = parameter;
    const byDefault: Read = () => (initializer ? evaluation.evaluate(initializer, inner) : undefined);
    inner.set(parameter, given[position] ?? byDefault);
  });
  if (!isBlock(node.body)) return evaluation.evaluate(node.body, inner);
  const returned = run(evaluation, node.body, inner);
  return returned ? returned.value : evaluation.unknown(call);
}

/** Null where a statement is reached that does something else. */
function run(evaluation: Evaluation, statement: Node, bindings: Bindings): { readonly value: Value } | null {
  if (isReturnStatement(statement))
    return { value: statement.expression ? evaluation.evaluate(statement.expression, bindings) : undefined };
  if (isIfStatement(statement)) {
    const isMet = evaluation.isTrue(evaluation.evaluate(statement.expression, bindings));
    const branch = isMet ? statement.thenStatement : statement.elseStatement;
    return branch ? run(evaluation, branch, bindings) : null;
  }
  if (!isBlock(statement)) return null;
  for (const inner of statement.statements) {
    if (isVariableStatement(inner) || isFunctionDeclaration(inner)) continue;
    const returned = run(evaluation, inner, bindings);
    if (returned) return returned;
    if (!isIfStatement(inner)) return null;
  }
  return null;
}

/** The result of a method of the language; null where it is none that is known. */
export function callMethod(
  evaluation: Evaluation,
  call: Node,
  receiver: Value,
  name: string,
  given: readonly Read[],
): { readonly value: Value } | null {
  const apply = (element: Value, position: number): Value => {
    const called = given[0]?.();
    return called instanceof FunctionValue
      ? evaluation.call(called, [() => element, () => position], call)
      : evaluation.unknown(call);
  };
  if (Array.isArray(receiver)) {
    const elements = receiver as readonly Value[];
    if (name === 'map') return { value: elements.map(apply) };
    if (name === 'filter')
      return { value: elements.filter((one, position) => evaluation.isTrue(apply(one, position))) };
    if (name === 'join') {
      const separator = given[0]?.() ?? ',';
      return { value: elements.map((one) => evaluation.textOf(one, call)).join(evaluation.textOf(separator, call)) };
    }
  }
  return null;
}
