import {
  isArrayBindingPattern,
  isBindingElement,
  isForOfStatement,
  isFunctionDeclaration,
  isIdentifier,
  isParameterDeclaration,
  isStringLiteral,
  isVariableDeclaration,
  NodeFlags,
  type BindingElement,
  type Identifier,
  type Node,
  type ParameterDeclaration,
  type PropertyName,
} from 'typescript/unstable/ast';
import { FunctionValue, readAt, UnknownValue, type Bindings, type Evaluation, type Value } from './evaluation.js';

/** The value of a constant, a parameter or a function, from its declaration. */
export function valueOfName(evaluation: Evaluation, name: Identifier, bindings: Bindings): Value {
  if (name.text === 'undefined') return undefined;
  const declaration = evaluation.sources.declarationOf(name);
  if (!declaration) return evaluation.unknown(name);
  const value = declared(evaluation, declaration, bindings);
  // A caller's argument is more specific than the parameter.
  const isGiven = bindings.has(declaration) || evaluation.callers.has(declaration);
  return isGiven ? value : readAt(name, value);
}

function declared(evaluation: Evaluation, declaration: Node, bindings: Bindings): Value {
  if (isFunctionDeclaration(declaration)) return new FunctionValue(declaration, bindings);
  if (isParameterDeclaration(declaration)) return parameterValue(evaluation, declaration, bindings);
  if (isBindingElement(declaration)) return boundValue(evaluation, declaration, bindings);
  if (!isVariableDeclaration(declaration)) return evaluation.unknown(declaration);
  const list = declaration.parent;
  if (isForOfStatement(list.parent))
    return evaluation.elementOf(evaluation.evaluate(list.parent.expression, bindings), declaration);
  const isConstant = (list.flags & NodeFlags.Const) !== 0;
  return isConstant && declaration.initializer
    ? evaluation.evaluate(declaration.initializer, bindings)
    : evaluation.unknown(declaration.name);
}

function parameterValue(evaluation: Evaluation, parameter: ParameterDeclaration, bindings: Bindings): Value {
  const bound = bindings.get(parameter);
  if (bound) return bound();
  if (evaluation.callers.has(parameter)) {
    const argument = evaluation.callers.get(parameter) ?? parameter.initializer;
    return argument && evaluation.evaluate(argument, new Map());
  }
  return new UnknownValue(evaluation.unknown(parameter).key, parameter.name, parameter.parent);
}

/** A name in `{ id, folder: name }` or `[first, second]`. */
function boundValue(evaluation: Evaluation, element: BindingElement, bindings: Bindings): Value {
  const pattern = element.parent;
  const whole = declared(evaluation, pattern.parent, bindings);
  const node = element.name ?? element;
  if (element.dotDotDotToken) return evaluation.unknown(node, whole);
  const key = isArrayBindingPattern(pattern)
    ? String(pattern.elements.indexOf(element))
    : nameOf(element.propertyName ?? element.name);
  const value = evaluation.member(whole, key, node);
  return value === undefined && element.initializer ? evaluation.evaluate(element.initializer, bindings) : value;
}

/** The literal name of a property. */
export function nameOf(name: PropertyName | BindingElement['name']): string {
  return name && (isIdentifier(name) || isStringLiteral(name)) ? name.text : '';
}
