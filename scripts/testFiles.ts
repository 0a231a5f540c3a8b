import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Tests that take long by their nature (`npm run test:long`). They run only where they are named. */
const longTests = /^dist\/test\/long\//;

/**
 * Folders whose files take longest, the longest first. They wait for processes, browsers or ffmpeg, which leaves the
 * processors to others; behind them only short files are left, so that no mocha process is alone at the end.
 */
const slowest = [
  /^dist\/test\/process\//,
  /^dist\/test\/browser\//,
  /^dist\/test\/integration\/live\/packaging/,
  /^dist\/test\/integration\/media\//,
  /^dist\/test\/contract\//,
  /^dist\/test\/integration\/(live|payment|search|http)\//,
];

/** Files of the tests named by sources (`test/unit`, `test/unit/http/fields.test.ts`); without any, all but the long ones. */
export function testFilesOf(sources: readonly string[], root: string): readonly string[] {
  const files =
    sources.length === 0
      ? compiledFiles('test', root).filter((file) => !longTests.test(file))
      : [...new Set(sources.flatMap((source) => compiledFiles(source, root)))];
  return files.toSorted((left, right) => turnOf(left) - turnOf(right));
}

function turnOf(file: string): number {
  const turn = slowest.findIndex((folder) => folder.test(file));
  return turn < 0 ? slowest.length : turn;
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
