import {
  SyntaxKind,
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isIdentifier,
  isIfStatement,
  isNoSubstitutionTemplateLiteral,
  isNonNullExpression,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  isVariableStatement,
  type BinaryExpression,
  type CallExpression,
  type ElementAccessExpression,
  type Expression,
  type Node,
  type ObjectLiteralExpression,
  type PrefixUnaryExpression,
  type TemplateExpression,
} from 'typescript/unstable/ast';
import {
  Evaluation,
  FunctionValue,
  ObjectValue,
  readAt,
  UnknownValue,
  type Bindings,
  type Entry,
  type Value,
} from './evaluation.js';
import { nameOf, valueOfName } from './names.js';

/** Evaluates the kinds of expressions that statements use; any other expression has an unknown value. */
export class ExpressionEvaluation extends Evaluation {
  override evaluate(node: Node, bindings: Bindings): Value {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
    if (isNumericLiteral(node)) return Number(node.text);
    if (node.kind === SyntaxKind.TrueKeyword) return true;
    if (node.kind === SyntaxKind.FalseKeyword) return false;
    if (node.kind === SyntaxKind.NullKeyword) return null;
    if (isTransparent(node)) return this.evaluate(node.expression, bindings);
    if (isAwaitExpression(node)) return readAt(node, this.evaluate(node.expression, bindings));
    if (isTemplateExpression(node)) return this.#template(node, bindings);
    if (isConditionalExpression(node)) {
      const isMet = this.isTrue(this.evaluate(node.condition, bindings));
      return this.evaluate(isMet ? node.whenTrue : node.whenFalse, bindings);
    }
    if (isIdentifier(node)) return valueOfName(this, node, bindings);
    if (isPropertyAccessExpression(node))
      return this.member(this.evaluate(node.expression, bindings), node.name.text, node);
    if (isElementAccessExpression(node)) return this.#element(node, bindings);
    if (isObjectLiteralExpression(node)) return objectOf(this, node, bindings);
    if (isArrayLiteralExpression(node)) return this.#array(node.elements, bindings) ?? this.unknown(node);
    if (isArrowFunction(node)) return new FunctionValue(node, bindings);
    if (isBinaryExpression(node)) return binary(this, node, bindings);
    if (isPrefixUnaryExpression(node)) return this.#prefixed(node, bindings);
    return isCallExpression(node) ? this.#called(node, bindings) : this.unknown(node);
  }

  override call(called: FunctionValue, given: readonly (() => Value)[], call: Node): Value {
    return applyFunction(this, called, given, call);
  }

  #template({ head, templateSpans }: TemplateExpression, bindings: Bindings): string {
    const spans = templateSpans.map(
      ({ expression, literal }) => this.textOf(this.evaluate(expression, bindings), expression) + literal.text,
    );
    return [head.text, ...spans].join('');
  }

  #element(node: ElementAccessExpression, bindings: Bindings): Value {
    const key = this.textOf(this.evaluate(node.argumentExpression, bindings), node);
    return this.member(this.evaluate(node.expression, bindings), key, node);
  }

  #array(elements: readonly Node[], bindings: Bindings): readonly Value[] | null {
    const values: Value[] = [];
    for (const element of elements) {
      if (!isSpreadElement(element)) values.push(this.evaluate(element, bindings));
      else {
        const spread = this.evaluate(element.expression, bindings);
        if (!Array.isArray(spread)) return null;
        values.push(...(spread as readonly Value[]));
      }
    }
    return values;
  }

  #prefixed(node: PrefixUnaryExpression, bindings: Bindings): Value {
    const value = this.evaluate(node.operand, bindings);
    if (node.operator === SyntaxKind.ExclamationToken) return !this.isTrue(value);
    const isNegated = node.operator === SyntaxKind.MinusToken && typeof value === 'number';
    return isNegated ? -value : this.unknown(node, value);
  }

  #called(node: CallExpression, bindings: Bindings): Value {
    const { expression } = node;
    const given = node.arguments.map((argument) => () => this.evaluate(argument, bindings));
    if (isPropertyAccessExpression(expression)) {
      const receiver = this.evaluate(expression.expression, bindings);
      const result = callMethod(this, node, receiver, expression.name.text, given);
      if (result) return result.value;
      if (receiver instanceof UnknownValue) return this.unknown(node, receiver);
    }
    const called = this.evaluate(expression, bindings);
    return called instanceof FunctionValue ? this.call(called, given, node) : this.unknown(node);
  }
}

/** The inner expression of one that does not change its value. */
function isTransparent(node: Node): node is Node & { readonly expression: Node } {
  return (
    isParenthesizedExpression(node) || isAsExpression(node) || isSatisfiesExpression(node) || isNonNullExpression(node)
  );
}

type Read = () => Value;

/** The result of a function that only declares constants and returns, in branches or at its end. */
function applyFunction(
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

/** Null if it reaches any other kind of statement. */
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

/** The result of a built-in method, or null if the method is not supported. */
function callMethod(
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
    if (name === 'join') {
      const separator = given[0]?.() ?? ',';
      return { value: elements.map((one) => evaluation.textOf(one, call)).join(evaluation.textOf(separator, call)) };
    }
  }
  return null;
}

const calculations = new Map<SyntaxKind, (left: number, right: number) => number>([
  [SyntaxKind.MinusToken, (left, right) => left - right],
  [SyntaxKind.AsteriskToken, (left, right) => left * right],
  [SyntaxKind.AsteriskAsteriskToken, (left, right) => left ** right],
  [SyntaxKind.SlashToken, (left, right) => left / right],
]);

function binary(evaluation: Evaluation, node: BinaryExpression, bindings: Bindings): Value {
  const { left, right, operatorToken } = node;
  const operator = operatorToken.kind;
  const first = evaluation.evaluate(left, bindings);
  const second = (): Value => evaluation.evaluate(right, bindings);
  switch (operator) {
    case SyntaxKind.AmpersandAmpersandToken:
      return evaluation.isTrue(first) ? second() : first;
    case SyntaxKind.QuestionQuestionToken:
      if (first instanceof UnknownValue) return evaluation.unknown(node, first);
      return first ?? second();
    case SyntaxKind.EqualsEqualsEqualsToken:
      return areEqual(evaluation, node, first, second());
    case SyntaxKind.ExclamationEqualsEqualsToken: {
      const equal = areEqual(evaluation, node, first, second());
      return equal instanceof UnknownValue ? !evaluation.isTrue(equal) : !equal;
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

function objectOf(evaluation: Evaluation, node: ObjectLiteralExpression, bindings: Bindings): ObjectValue {
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
