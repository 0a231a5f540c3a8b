import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { testFilesOf } from '../../../tools/testFiles.js';

describe('Files of a test run', () => {
  let root: string;
  const files = [
    'unit/a',
    'long/b',
    'failure/b',
    'media/b',
    'browser/b',
    'integration/media/c',
    'process/d',
    'process/e',
  ];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'test-files-'));
    for (const file of files) {
      const path = join(root, 'dist/test', `${file}.test.js`);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, '');
    }
  });
  after(() => rm(root, { recursive: true, force: true }));

  const namesOf = (...sources: string[]): string[] =>
    testFilesOf(sources, root).map((file) => file.replace(/^dist\/test\/(.*)\.test\.js$/, '$1'));

  it('are all but those that run only where they are named, first the slow kinds in turns', () => {
    expect(namesOf()).to.deep.equal(['process/d', 'integration/media/c', 'process/e', 'unit/a']);
  });

  it('are those that are named, each once', () => {
    expect(namesOf('test/long')).to.deep.equal(['long/b']);
    expect(namesOf('./test/unit', 'test/unit/a.test.ts')).to.deep.equal(['unit/a']);
    expect(() => namesOf('test/none')).to.throw('there are no tests at test/none');
  });
});
