import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files whose tests wait for processes, browsers or ffmpeg. */
const slowFiles = /^dist\/test\/(integration\/(media|live)|process|browser)\//;

/**
 * Files of the tests named by sources (`test/unit`, `test/unit/http/fields.test.ts`), all without any. The slow ones
 * come first: what they wait for leaves the processors to the others, and no mocha process is left alone at the end.
 */
export function testFilesOf(sources: readonly string[], root: string): readonly string[] {
  const named = sources.length === 0 ? ['test'] : sources;
  const files = [...new Set(named.flatMap((source) => compiledFiles(source, root)))];
  return files.toSorted((left, right) => Number(slowFiles.test(right)) - Number(slowFiles.test(left)));
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
