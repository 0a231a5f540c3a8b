import {
  isPropertyAssignment,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  SyntaxKind,
  type BinaryExpression,
  type Expression,
  type ObjectLiteralExpression,
} from 'typescript/unstable/ast';
import type { Evaluation } from './evaluation.js';
import { nameOf } from './names.js';
import { ObjectValue, UnknownValue, type Bindings, type Entry, type Value } from './values.js';

const calculations = new Map<SyntaxKind, (left: number, right: number) => number>([
  [SyntaxKind.MinusToken, (left, right) => left - right],
  [SyntaxKind.AsteriskToken, (left, right) => left * right],
  [SyntaxKind.AsteriskAsteriskToken, (left, right) => left ** right],
  [SyntaxKind.SlashToken, (left, right) => left / right],
]);

export function binary(evaluation: Evaluation, node: BinaryExpression, bindings: Bindings): Value {
  const { left, right, operatorToken } = node;
  const operator = operatorToken.kind;
  const first = evaluation.evaluate(left, bindings);
  const second = (): Value => evaluation.evaluate(right, bindings);
  switch (operator) {
    case SyntaxKind.AmpersandAmpersandToken:
      return evaluation.isTrue(first) ? second() : first;
    case SyntaxKind.BarBarToken:
      return evaluation.isTrue(first) ? first : second();
    case SyntaxKind.QuestionQuestionToken:
      if (first instanceof UnknownValue) return evaluation.unknown(node, first);
      return first ?? second();
    case SyntaxKind.EqualsEqualsEqualsToken:
      return areEqual(evaluation, node, first, second());
    case SyntaxKind.ExclamationEqualsEqualsToken: {
      const equal = areEqual(evaluation, node, first, second());
      return equal instanceof UnknownValue ? !evaluation.isTrue(equal) : !equal;
    }
    case SyntaxKind.InKeyword: {
      const object = second();
      return object instanceof ObjectValue
        ? object.entries.has(evaluation.textOf(first, left))
        : evaluation.unknown(node, object);
    }
    case SyntaxKind.PlusToken: {
      const other = second();
      if (typeof first === 'number' && typeof other === 'number') return first + other;
      return evaluation.textOf(first, left) + evaluation.textOf(other, right);
    }
    default: {
      const other = second();
      const calculate = calculations.get(operator);
      if (calculate && typeof first === 'number' && typeof other === 'number') return calculate(first, other);
      return evaluation.unknown(node, first instanceof UnknownValue ? first : other);
    }
  }
}

function areEqual(evaluation: Evaluation, node: BinaryExpression, left: Value, right: Value): boolean | UnknownValue {
  const known = [left, right].map((side) => {
    if (!(side instanceof UnknownValue)) return side;
    return evaluation.literalsOf(side) ? evaluation.textOf(side, node) : side;
  });
  const unknown = known.find((side) => side instanceof UnknownValue);
  if (!unknown) return known[0] === known[1];
  const keys = known.map((side) => (side instanceof UnknownValue ? side.key : JSON.stringify(side ?? null)));
  return new UnknownValue(keys.join(' = '), node, unknown.parameterOf);
}

export function objectOf(evaluation: Evaluation, node: ObjectLiteralExpression, bindings: Bindings): ObjectValue {
  const entries = new Map<string, Entry>();
  const spread: UnknownValue[] = [];
  for (const property of node.properties) {
    if (isSpreadAssignment(property)) {
      const inner = evaluation.evaluate(property.expression, bindings);
      if (inner instanceof UnknownValue) spread.push(inner);
      if (!(inner instanceof ObjectValue)) continue;
      for (const [name, entry] of inner.entries) entries.set(name, entry);
      spread.push(...inner.spread);
    } else if (isPropertyAssignment(property) || isShorthandPropertyAssignment(property)) {
      const expression: Expression = isPropertyAssignment(property)
        ? property.initializer
        : (property.name as Expression);
      const read = (): Value => evaluation.evaluate(expression, bindings);
      entries.set(nameOf(property.name), { node: property, expression, read });
    }
  }
  return new ObjectValue(entries, spread);
}
