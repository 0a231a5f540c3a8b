import { readFile } from 'node:fs/promises';

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
