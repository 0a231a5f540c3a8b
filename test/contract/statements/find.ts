import type { CallExpression, Node } from 'typescript/unstable/ast';
import { isArrowFunction, isFunctionDeclaration, isPropertyAccessExpression } from 'typescript/unstable/ast';
import { ExpressionEvaluation } from './evaluate.js';
import { Choices, OpenParameter, Unevaluable, type Callers, type Sample, type Value } from './evaluation.js';
import type { Sources } from './sources.js';

/** One variant of a statement. */
export interface FoundStatement {
  readonly call: CallExpression;
  /** File and line of the call and of the calls that lead to it. */
  readonly place: string;
  readonly sql: string;
  readonly binds: Value;
}

/** The reason why a statement is not known before run time. */
export interface Obstacle {
  readonly file: string;
  /** File and line of the call. */
  readonly place: string;
  /** The expression that cannot be evaluated. */
  readonly expression: string;
}

export interface Found {
  readonly callCount: number;
  readonly statements: readonly FoundStatement[];
  readonly obstacles: readonly Obstacle[];
  readonly unusedSamples: readonly Sample[];
}

/** The maximum number of evaluated variants of one call. */
const maxVariants = 64;

/** The methods of `Statements` that take SQL. */
const methods = ['rows', 'prepared', 'change'];

/** Finds every statement that the sources pass to a method of one of the `interfaceFiles`. */
export function findStatements(sources: Sources, interfaceFiles: readonly string[], samples: readonly Sample[]): Found {
  const usedSamples = new Set<Sample>();
  const statements: FoundStatement[] = [];
  const obstacles: Obstacle[] = [];
  const calls = methods
    .flatMap((method) => sources.callsNamed(method))
    .filter((call) => {
      const method = isPropertyAccessExpression(call.expression)
        ? sources.declarationOf(call.expression.name)
        : undefined;
      return method !== undefined && interfaceFiles.includes(method.getSourceFile().fileName);
    });

  const evaluateAll = (call: CallExpression, path: readonly CallExpression[], callers: Callers): void => {
    const place = [call, ...path].map((one) => sources.placeOf(one)).join(', called at ');
    const [text, bind] = call.arguments;
    if (!text) return;
    const choices = new Choices();
    const variants: FoundStatement[] = [];
    try {
      do {
        const evaluation = new ExpressionEvaluation(sources, callers, choices, samples, usedSamples);
        const sql = evaluation.textOf(evaluation.evaluate(text, new Map()), text);
        variants.push({ call, place, sql, binds: bind && evaluation.evaluate(bind, new Map()) });
        if (variants.length > maxVariants) throw new Unevaluable(text);
      } while (choices.next());
      statements.push(...variants);
    } catch (error) {
      if (error instanceof OpenParameter && !isFilled(error.parameterOf, callers)) {
        const sites = sources.callsOf(error.parameterOf);
        for (const site of sites) evaluateAll(call, [...path, site], filled(callers, error.parameterOf, site));
        if (sites.length > 0) return;
      }
      if (!(error instanceof OpenParameter || error instanceof Unevaluable)) throw error;
      const expression = error.node.getText();
      const isKnown = obstacles.some(
        (known) => known.place === sources.placeOf(call) && known.expression === expression,
      );
      if (!isKnown) obstacles.push({ file: sources.fileOf(call), place: sources.placeOf(call), expression });
    }
  };
  for (const call of calls) evaluateAll(call, [], new Map());
  const unusedSamples = samples.filter((sample) => !usedSamples.has(sample));
  return { callCount: calls.length, statements, obstacles, unusedSamples };
}

function parametersOf(node: Node): readonly Node[] {
  return isArrowFunction(node) || isFunctionDeclaration(node) ? [...node.parameters] : [];
}

function isFilled(node: Node, callers: Callers): boolean {
  return parametersOf(node).some((parameter) => callers.has(parameter));
}

function filled(callers: Callers, node: Node, site: CallExpression): Callers {
  const own = parametersOf(node).map((parameter, position) => [parameter, site.arguments[position]] as const);
  return new Map([...callers, ...own]);
}

const column = String.raw`(?:[a-z]\w*\.)?[a-z]\w*`;
const bind = String.raw`\$\w+(?:::[\w ]+(?:\[\])?)?`;
const equality = [
  String.raw`${column} = (?:${bind}|'[^']*'|true|false|\d+)`,
  String.raw`${column} IS NULL`,
  String.raw`(?:NOT )?${column}`,
].join('|');
const chosen = String.raw`(?:\*|1|${column}|count\(\*\)(?:::\w+)?)(?: AS ${column})?`;
const sorted = String.raw`${column}(?: ASC| DESC)?`;
const plainRead = new RegExp(
  [
    String.raw`^SELECT ${chosen}(?:, ${chosen})* FROM (?<table>\w+)(?: [a-z]\w*)?(?: WHERE (?:${equality})(?: AND (?:${equality}))*)?`,
    String.raw`(?: ORDER BY ${sorted}(?:, ${sorted})*)?(?: LIMIT 1)?(?: FOR (?:NO KEY UPDATE|UPDATE|SHARE|KEY SHARE))?$`,
  ].join(''),
);

/** The table of a statement that its model can replace: a read by column values only. */
export function tableOfPlainRead(sql: string): string | undefined {
  return plainRead.exec(sql.replaceAll(/\s+/g, ' ').trim())?.groups?.['table'];
}
