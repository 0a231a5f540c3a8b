import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tests that run only if they are named: those that encode films or play them in a browser (`npm run test:media`), those of built
 * processes, their deployment and their failures (`npm run test:failure`), and those that take minutes (`npm run test:long`).
 */
const namedOnly = /^dist\/test\/(media|browser|process|failure|long)\//;

/** Kinds of files that take longest. They wait for processes, browsers or ffmpeg. */
const slowKinds = [
  /^dist\/test\/(process|failure)\//,
  /^dist\/test\/browser\//,
  /^dist\/test\/(integration\/)?media\//,
];

/**
 * Files of the tests named by sources (`test/unit`, `test/unit/http/bodies.test.ts`); without any, all but those that run only where they are named.
 * The slow ones come first, so that no mocha process is left alone at the end, and their kinds take turns: files that run
 * at the same time then need different things, and few crowds attack at once.
 */
export function testFilesOf(sources: readonly string[], root: string): readonly string[] {
  const files =
    sources.length === 0
      ? compiledFiles('test', root).filter((file) => !namedOnly.test(file))
      : [...new Set(sources.flatMap((source) => compiledFiles(source, root)))];
  const slow = slowKinds.map((kind) => files.filter((file) => kind.test(file)));
  const longest = Math.max(...slow.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) => slow.flatMap((kind) => kind[turn] ?? []));
  return [...new Set([...turns.flat(), ...files])];
}

/** Whether a parameter of `npm test` names tests; all others are mocha's. */
export function isTestSource(parameter: string): boolean {
  return /^(\.\/)?test(\/|$)/.test(parameter);
}

function compiledFiles(source: string, root: string): string[] {
  const path = join('dist', source.replace(/^\.\//, '').replace(/\.ts$/, '.js'));
  if (!statSync(join(root, path), { throwIfNoEntry: false })) throw new Error(`there are no tests at ${source}`);
  if (path.endsWith('.js')) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(path, name))
    .toSorted();
}
