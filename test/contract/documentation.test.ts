import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseEnv } from 'node:util';
import { expect } from 'chai';
import { isLinkHost } from '../../shared/oauth/linkHosts.js';
import { readConfig } from '../../shared/settings.js';
import { contractPage } from '../../tools/docs/contractPage.js';
import { testEnvironment } from '../support/context.js';
import { printedBlocks, projectFile } from '../support/projectFile.js';
import { serviceFixture } from '../support/fixtures.js';

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
      .filter((file) => file !== 'test/contract/documentation.test.ts')
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

const stored = readFileSync(projectFile('docs/contract.md'), 'utf8');

describe('The tables of docs/contract.md', () => {
  it('are up to date with the routes and schemas (npm run docs)', () => {
    expect(contractPage(stored)).to.equal(stored);
  });

  it('require a mark for every operation', () => {
    const without = stored.replace('/api/vod, /api/public/vod,', '/api/vod,');
    expect(() => contractPage(without)).to.throw('docs/contract.md has no mark for /api/public/vod/{vodId}');
  });
});

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

describe('The example settings of docs/integrate.md', () => {
  it('are valid and configure a front end as the page describes', () => {
    const [, block = ''] = /```env\n([^`]*)```/.exec(readFileSync(projectFile('docs/integrate.md'), 'utf8')) ?? [];
    const {
      OAUTH_CLIENT_ID: _id,
      OAUTH_CLIENT_SECRET: _secret,
      ...others
    } = testEnvironment('postgres://localhost/none', 'data');
    const config = readConfig('web', { ...others, ...(parseEnv(block) as Record<string, string>) });
    expect(config.oauth.clients).to.deep.equal([{ id: 'web', secret: '', origins: ['https://www.example.org'] }]);
    expect(config.service).to.include({
      name: 'Acme',
      basePath: '/platform',
      urnNamespace: 'acme',
      integrationName: 'acme',
      defaultOffsetMs: 3_600_000,
    });
    expect(config.integration).to.include({ user: 'streaming' });
    const mayLinkTo = (address: string): boolean => isLinkHost(config, new URL(address));
    expect(['https://www.example.org/a', 'https://accounts.example.org/b'].map(mayLinkTo)).to.deep.equal([true, true]);
    expect(mayLinkTo('https://www.example.net/')).to.equal(false);
  });
});

describe('The pages of the API description', () => {
  const { api } = serviceFixture({ BASE_PATH: '/platform' });

  it('are served without a token, with all files that they refer to', async () => {
    expect((await api.call('GET', '/openapi.json')).body.openapi).to.equal('3.1.0');
    const page = await api.call('GET', '/docs');
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).to.include("script-src 'self';");
    const { origin } = new URL(api.url);
    const references = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '');
    expect(references).to.have.length(5);
    for (const reference of references) {
      const file = await fetch(origin + reference);
      expect(file.status, reference).to.equal(200);
      expect((await file.arrayBuffer()).byteLength, reference).to.be.above(50);
    }
  });

  it('are built once, support 304, and may be compressed by proxies', async () => {
    for (const [path, seconds] of [
      ['/openapi.json', 300],
      ['/docs', 300],
      ['/docs/docs.js', 300],
      ['/docs/swagger-ui-bundle.js', 3600],
      ['/docs/swagger-ui.css', 3600],
    ] as const) {
      const first = await fetch(`${api.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(first.headers.get('content-encoding'), path).to.equal('gzip');
      expect(first.headers.get('vary'), path).to.equal('Accept-Encoding');
      expect(first.headers.get('cache-control'), path).to.equal(`public, max-age=${seconds}`);
      expect(Number(first.headers.get('content-length')), path).to.be.below(600_000);
      const etag = first.headers.get('etag') ?? '';
      await first.text();
      // Without this header, fetch requests a response that bypasses all caches.
      const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
      const again = await fetch(`${api.url}${path}`, { headers });
      expect([again.status, await again.text()], path).to.deep.equal([304, '']);
      const head = await fetch(`${api.url}${path}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag')], path).to.deep.equal([200, etag]);
    }
  });

  it('begin with the calls from a token to a playing video, each with a link to its operation', async () => {
    const { paths } = (await api.call('GET', '/openapi.json')).body;
    const [, list = ''] = /<ol>(.*)<\/ol>/s.exec((await api.call('GET', '/docs')).text) ?? [];
    const links = [...list.matchAll(/<a href="#\/(\w+)\/(\w+)"><code>(\w+) ([^<]+)/g)];
    expect(links.map(([, , operationId]) => operationId)).to.deep.equal([
      'createToken',
      'createBoxItem',
      'watchBoxItem',
      'createVodItem',
      'playPublicVodItem',
    ]);
    for (const [, tag, operationId, method = '', path = ''] of links)
      expect(paths[path][method.toLowerCase()]).to.deep.include({ operationId, tags: [tag] });
  });

  it('do not serve other files', async () => {
    for (const file of [
      'package.json',
      '..%2fpackage.json',
      '%2e%2e%2fpackage.json',
      'index.html',
      'swagger-ui.css%00',
    ]) {
      expect((await api.call('GET', `/docs/${file}`)).status, file).to.equal(404);
    }
  });
});
