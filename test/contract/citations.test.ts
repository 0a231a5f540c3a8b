import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { projectFile } from '../support/projectFile.js';

const root = dirname(projectFile('package.json'));

/** A page with an optional anchor: `docs/contract.md#vod`, `../deploy.md`. */
const citation = /(?<![\w/.:-])((?:\.{1,2}\/)*[A-Za-z][\w/-]*\.md)(?!\w)(?:#([\w-]+))?/g;

/** A test or a test folder, in the notation of the pages. */
const namedTest = /`(test\/[\w/.-]+)`/g;

interface Citation {
  readonly file: string;
  readonly page: string;
  readonly anchor: string | undefined;
}

/** Every text file of the repository; recordings and lists of packages cite nothing. */
function textFiles(): string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: root });
  return files
    .toString()
    .split('\n')
    .filter((file) => /\.(ts|js|cjs|mjs|css|md|json|yml)$/.test(file) && !/package-lock|recordings\//.test(file))
    .filter((file) => existsSync(join(root, file)));
}

function citationsIn(file: string, text: string): Citation[] {
  return [...text.matchAll(citation)].map(([, page = '', anchor]) => ({ file, page, anchor }));
}

/** The cited page, relative to the file, to the repository root, or to `docs`. */
function pageOf({ file, page }: Citation): string | undefined {
  return [join(dirname(file), page), page, join('docs', page)]
    .map(normalize)
    .find((path) => existsSync(join(root, path)));
}

/** The anchors of a page: explicit ones and those of its headings. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(join(root, page), 'utf8');
  const explicit = [...text.matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id);
  const headings = [...text.matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  );
  return new Set([...explicit, ...headings]);
}

function problemOf(cited: Citation): string | undefined {
  const page = pageOf(cited);
  if (page === undefined) return `${cited.file} cites ${cited.page}, which does not exist`;
  if (cited.anchor === undefined || anchorsOf(page).has(cited.anchor)) return undefined;
  return `${cited.file} cites ${page}#${cited.anchor}, an anchor that does not exist`;
}

/** The tests that a page names but that do not exist. */
function missingTestsIn(page: string, text: string): string[] {
  return [...text.matchAll(namedTest)]
    .filter(([, path = '']) => !existsSync(join(root, path)))
    .map(([, path = '']) => `${page} names ${path}, which does not exist`);
}

describe('Citations of documentation', () => {
  it('name pages and anchors of this repository', () => {
    const cited = textFiles()
      .filter((file) => file !== 'test/contract/citations.test.ts')
      .flatMap((file) => citationsIn(file, readFileSync(join(root, file), 'utf8')));
    expect(cited.length).to.be.above(200);
    expect(cited.flatMap((one) => problemOf(one) ?? [])).to.deep.equal([]);
  });

  it('name tests of this repository', () => {
    const pages = textFiles().filter((file) => file.endsWith('.md'));
    const missing = pages.flatMap((page) => missingTestsIn(page, readFileSync(join(root, page), 'utf8')));
    expect(missing).to.deep.equal([]);
    expect(missingTestsIn('docs/a.md', '`test/contract`, `test/contract/gone.test.ts`')).to.have.length(1);
  });

  it('are reported if their page or anchor is missing', () => {
    const planted = '/** See `interface.md 4.5`, docs/contract.md#no-such-anchor and docs/contract.md#vod. */';
    expect(citationsIn('shared/vod/planted.ts', planted).map(problemOf)).to.deep.equal([
      'shared/vod/planted.ts cites interface.md, which does not exist',
      'shared/vod/planted.ts cites docs/contract.md#no-such-anchor, an anchor that does not exist',
      undefined,
    ]);
  });
});
