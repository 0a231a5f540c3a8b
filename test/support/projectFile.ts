import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFile } from 'node:fs/promises';

/** The path of a source file, for any build folder. */
export function projectFile(path: string): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return join(folder, path);
}

/** The folder of the documentation pages, from dist/test/support. */
const pages = new URL('../../../docs/', import.meta.url);

/** A file of `docs/examples`, which operators copy. */
export function exampleFile(name: string): Promise<string> {
  return readFile(new URL(`examples/${name}`, pages), 'utf8');
}

/** The text of a page in `docs`. */
export function pageText(page: string): Promise<string> {
  return readFile(new URL(`${page}.md`, pages), 'utf8');
}

/** The code blocks of one language in a page of `docs`, up to a line. There is at least one. */
export async function printedBlocks(page: string, language: string, end?: string): Promise<string[]> {
  const text = await pageText(page);
  const [part = ''] = end === undefined ? [text] : text.split(end);
  const blocks = [...part.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].filter(([, name]) => name === language);
  if (blocks.length === 0) throw new Error(`docs/${page}.md has no examples in ${language}`);
  return blocks.map(([, , code = '']) => code);
}

/** Documented lines with other names and places. Throws if the file in `docs` lacks a text to replace. */
export function replacedIn(
  lines: string,
  file: string,
  changes: readonly (readonly [there: string, here: string])[],
): string {
  return changes.reduce((text, [there, here]) => {
    if (!text.includes(there)) throw new Error(`docs/${file} does not contain ${there}`);
    return text.replaceAll(there, here);
  }, lines);
}

/** Paths of the source files below a project folder, from its root. */
export function sourcesBelow(folder: string, names = /\.ts$/): string[] {
  return readdirSync(projectFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name) && !name.includes('node_modules/'))
    .map((name) => `${folder}/${name}`);
}

/** The text of a source file. */
export function readSource(file: string): string {
  return readFileSync(projectFile(file), 'utf8');
}

/** A Dockerfile instruction, such as `RUN`, and its arguments. */
export interface Instruction {
  readonly name: string;
  readonly value: string;
}

/** The stages of a Dockerfile, each starting with its `FROM`. */
export function dockerfileStages(path: string): Instruction[][] {
  const stages: Instruction[][] = [];
  const lines = readFileSync(path, 'utf8').replace(/\\\n/g, ' ').split('\n');
  for (const line of lines.filter((one) => /^[A-Z]+ /.test(one))) {
    const [name = '', ...value] = line.split(' ');
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, value: value.join(' ').trim() });
  }
  return stages;
}
