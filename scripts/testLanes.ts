import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Test files that run together, and whether several mocha processes share them. */
export interface TestLane {
  readonly name: 'parallel' | 'serial';
  readonly files: readonly string[];
}

/** Tests that start whole processes or a browser: with others at the same time, their times would mean nothing. */
const serialFolders = /^dist\/test\/(process|browser)\//;
/** The slowest files first, so that no lane ends with one process waiting for another. */
const slowFolders = /^dist\/test\/integration\/media\//;

/** Files of the tests named by sources (`test/unit`, `test/unit/http/fields.test.ts`), all without any, in lanes. */
export function lanesOf(sources: readonly string[], root: string): readonly TestLane[] {
  const named = sources.length === 0 ? ['test'] : sources;
  const files = [...new Set(named.flatMap((source) => testFilesOf(source, root)))];
  const parallel = files.filter((file) => !serialFolders.test(file));
  const slowFirst = parallel.toSorted(
    (left, right) => Number(slowFolders.test(right)) - Number(slowFolders.test(left)),
  );
  const lanes: readonly TestLane[] = [
    { name: 'parallel', files: slowFirst },
    { name: 'serial', files: files.filter((file) => serialFolders.test(file)) },
  ];
  return lanes.filter((lane) => lane.files.length > 0);
}

/** Whether a parameter of `npm test` names tests; all others are mocha's. */
export function isTestSource(parameter: string): boolean {
  return /^(\.\/)?test(\/|$)/.test(parameter);
}

function testFilesOf(source: string, root: string): string[] {
  const path = join('dist', source.replace(/^\.\//, '').replace(/\.ts$/, '.js'));
  if (!statSync(join(root, path), { throwIfNoEntry: false })) throw new Error(`there are no tests at ${source}`);
  if (path.endsWith('.js')) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(path, name))
    .toSorted();
}
