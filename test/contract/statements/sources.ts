import { relative } from 'node:path';
import {
  isArrowFunction,
  isCallExpression,
  isFunctionDeclaration,
  isIdentifier,
  isPropertyAccessExpression,
  isShorthandPropertyAssignment,
  isVariableDeclaration,
  type CallExpression,
  type Node,
} from 'typescript/unstable/ast';
import { SymbolFlags, type Checker, type Project, type Symbol, type Type } from 'typescript/unstable/sync';

/** The compiler's view of a project's sources. */
export class Sources {
  readonly checker: Checker;
  readonly #calls = new Map<string, CallExpression[]>();
  readonly #declarations = new Map<Node, Node | null>();

  /** `isRead` selects the files that are searched for calls, by path relative to `root`. */
  constructor(
    private readonly project: Project,
    private readonly root: string,
    isRead: (file: string) => boolean,
  ) {
    this.checker = project.checker;
    for (const name of project.rootFiles) {
      const source = isRead(relative(root, name)) ? project.program.getSourceFile(name) : undefined;
      if (source) this.#collectCalls(source);
    }
  }

  #collectCalls(node: Node): void {
    if (isCallExpression(node)) {
      const name = calledName(node)?.text ?? '';
      const known = this.#calls.get(name);
      if (known) known.push(node);
      else this.#calls.set(name, [node]);
    }
    node.forEachChild((child) => this.#collectCalls(child));
  }

  /** The calls of a function or method with this name in any declaration. */
  callsNamed(name: string): readonly CallExpression[] {
    return this.#calls.get(name) ?? [];
  }

  /** The calls of a named function. */
  callsOf(node: Node): readonly CallExpression[] {
    const declaration = isArrowFunction(node) && isVariableDeclaration(node.parent) ? node.parent : node;
    if (!isVariableDeclaration(declaration) && !isFunctionDeclaration(declaration)) return [];
    const { name } = declaration;
    if (!name || !isIdentifier(name)) return [];
    return this.callsNamed(name.text).filter((call) => {
      const called = calledName(call);
      return called !== undefined && this.declarationOf(called) === declaration;
    });
  }

  /** The declaration of a name's value, across imports. */
  declarationOf(name: Node): Node | undefined {
    const known = this.#declarations.get(name);
    if (known !== undefined) return known ?? undefined;
    const declaration = this.#symbolOf(name)?.valueDeclaration?.resolve(this.project);
    this.#declarations.set(name, declaration ?? null);
    return declaration;
  }

  #symbolOf(name: Node): Symbol | undefined {
    const symbol =
      isShorthandPropertyAssignment(name.parent) && name.parent.name === name
        ? this.checker.getShorthandAssignmentValueSymbol(name.parent)
        : this.checker.getSymbolAtLocation(name);
    return symbol && symbol.flags & SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  typeOf(node: Node): Type | undefined {
    return this.checker.getTypeAtLocation(node);
  }

  fileOf(node: Node): string {
    return relative(this.root, node.getSourceFile().fileName);
  }

  /** `shared/user/user.queries.ts:19` */
  placeOf(node: Node): string {
    const source = node.getSourceFile();
    return `${this.fileOf(node)}:${source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1}`;
  }
}

function calledName({ expression }: CallExpression) {
  if (isIdentifier(expression)) return expression;
  return isPropertyAccessExpression(expression) && isIdentifier(expression.name) ? expression.name : undefined;
}
