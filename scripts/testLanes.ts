import { readdirSync, statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

/** Test files that run together, the slowest first: no lane ends with one mocha process waiting for another. */
export interface TestLane {
  readonly files: readonly string[];
  /** How many mocha processes share the files. */
  readonly jobs: number;
}

/**
 * Tests that start whole processes or a browser. Some check how long a process takes to stop, so fewer of them run at
 * the same time.
 */
const processFolders = /^dist\/test\/(process|browser)\//;
const slowFiles = /^dist\/test\/(integration\/media\/|process\/(crash|outage|start)|browser\/player)/;

/**
 * Files of the tests named by sources (`test/unit`, `test/unit/http/fields.test.ts`), all without any, in lanes.
 * `TEST_JOBS` sets the number of mocha processes.
 */
export function lanesOf(sources: readonly string[], root: string): readonly TestLane[] {
  const named = sources.length === 0 ? ['test'] : sources;
  const files = [...new Set(named.flatMap((source) => testFilesOf(source, root)))];
  const slowFirst = files.toSorted((left, right) => Number(slowFiles.test(right)) - Number(slowFiles.test(left)));
  const jobs = Number(process.env['TEST_JOBS'] ?? availableParallelism() + 1);
  const lanes: readonly TestLane[] = [
    { jobs, files: slowFirst.filter((file) => !processFolders.test(file)) },
    { jobs: Math.min(jobs, 2), files: slowFirst.filter((file) => processFolders.test(file)) },
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
