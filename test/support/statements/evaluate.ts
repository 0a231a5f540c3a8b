import {
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isIdentifier,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isNumericLiteral,
  isObjectLiteralExpression,
  isParenthesizedExpression,
  isPrefixUnaryExpression,
  isPropertyAccessExpression,
  isSatisfiesExpression,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  SyntaxKind,
  type CallExpression,
  type ElementAccessExpression,
  type Node,
  type PrefixUnaryExpression,
  type TemplateExpression,
} from 'typescript/unstable/ast';
import { applyFunction, callMethod } from './calls.js';
import { Evaluation, readAt } from './evaluation.js';
import { valueOfName } from './names.js';
import { binary, objectOf } from './operators.js';
import { FunctionValue, UnknownValue, type Bindings, type Value } from './values.js';

/** Evaluates the expressions that statements are made of; any other has an unknown value. */
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

/** An expression that changes nothing of the value of another one. */
function isTransparent(node: Node): node is Node & { readonly expression: Node } {
  return (
    isParenthesizedExpression(node) || isAsExpression(node) || isSatisfiesExpression(node) || isNonNullExpression(node)
  );
}
