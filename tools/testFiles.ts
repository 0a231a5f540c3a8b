import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Tests that run only if they are named: tests that encode films or play them in a browser (`npm run test:media`), tests of built
 * processes, their deployment and their failures (`npm run test:failure`), and tests that take minutes (`npm run test:long`).
 */
const namedOnly = /^dist\/test\/(media|browser|process|failure|long)\//;

/** The slowest kinds of files. They wait for processes, browsers or ffmpeg. */
const slowKinds = [
  /^dist\/test\/(process|failure)\//,
  /^dist\/test\/browser\//,
  /^dist\/test\/(integration\/)?media\//,
];

/**
 * Files of the tests named by sources (`test/unit`, `test/unit/media/grid.test.ts`); without sources, all files except those that
 * run only if they are named. Slow files come first, so that no mocha process remains alone at the end, and their kinds alternate:
 * files that run concurrently then need different resources, and few load tests run at once.
 */
export function testFilesOf(sources: readonly string[], root: string): readonly string[] {
  const files =
    sources.length === 0
      ? compiledFiles('test', root).filter((file) => !namedOnly.test(file))
      : [...new Set(sources.flatMap((source) => compiledFiles(source, root)))];
  const slow = slowKinds.map((kind) => files.filter((file) => kind.test(file)));
  const longest = Math.max(...slow.map(({ length }) => length));
  const alternating = Array.from({ length: longest }, (_, index) => slow.flatMap((kind) => kind[index] ?? []));
  return [...new Set([...alternating.flat(), ...files])];
}

/** Whether a parameter of `npm test` names tests; all other parameters are mocha options. */
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
