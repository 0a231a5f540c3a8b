import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { printedBlocks } from '../support/printedBlocks.js';

/** Three levels up from dist/test/contract. */
const root = fileURLToPath(new URL('../../..', import.meta.url));

const { doors } = (await import(pathToFileURL(join(root, '.oxlintrc.mjs')).href)) as {
  readonly doors: Readonly<Record<string, unknown>>;
};

/** All formats share one page. */
const libraries = [
  ...new Set(Object.keys(doors).map((folder) => folder.replace(/^shared\/media\/.*/, 'shared/media'))),
];

describe('the libraries', function () {
  this.timeout(60_000);

  it('have a page of at most 45 lines', async () => {
    for (const library of libraries) {
      const text = await readFile(join(root, library, 'README.md'), 'utf8');
      expect(text.split('\n').length - 1, library).to.be.within(20, 45);
    }
  });

  it('have examples that compile', async () => {
    const folder = await mkdtemp(join(root, 'dist', 'printed-'));
    try {
      const files = libraries.map((_, index) => `example${index}.ts`);
      for (const [index, library] of libraries.entries()) {
        const code = (await printedBlocks(`../${library}/README`, 'ts')).join('\n');
        // Relative paths start at the library's folder.
        const placed = code.replace(/(?<= from ')(\.\.?\/[^']+)/g, (path) => join(root, library, path));
        await writeFile(join(folder, files[index] as string), placed);
      }
      const compilerOptions = { rootDir: root, noEmit: true };
      const config = { extends: join(root, 'tsconfig.json'), files, include: [], compilerOptions };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
      const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
      const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
      expect(stdout).to.equal('');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
