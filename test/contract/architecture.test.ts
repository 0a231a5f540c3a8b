import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { closureOf, fileNamed, medianClosure, readImports } from '../../tools/reach.js';

/** Three levels up from dist/test/contract. */
const root = fileURLToPath(new URL('../../..', import.meta.url));
const linter = join(dirname(createRequire(import.meta.url).resolve('oxlint/package.json')), 'bin', 'oxlint');

type Import = readonly [file: string, imported: string];

const { doors } = (await import(pathToFileURL(join(root, '.oxlintrc.mjs')).href)) as {
  readonly doors: Readonly<Record<string, readonly string[]>>;
};

/** Imports that bypass each package entry, from every part of the project. */
const pastDoors = Object.keys(doors).flatMap((folder): Import[] =>
  ['api/box', 'workers/mail', 'shared/user', 'scripts/embedded', 'tools/bench', 'test/media'].map((user) => [
    `${user}/planted.ts`,
    `../../${folder}/planted.js`,
  ]),
);

/** Imports that the rules of docs/architecture.md forbid. */
const breaches: readonly Import[] = [
  ...pastDoors,
  ['shared/cast/planted.ts', './playout/airing.js'],
  ['shared/media/planted.ts', './mp4/isoBox.js'],
  ['shared/media/flv/planted.ts', '../avc/avcConfiguration.js'],
  ['shared/vod/planted.ts', '../platform/search/postgres/tables.js'],
  ['shared/platform/planted.ts', './queue/job.js'],
  ['shared/platform/search/planted.ts', '../queue/job.js'],
  ['workers/planted.ts', './media/probe.js'],
  ['workers/live/packaging/planted.ts', '../../rtmp/amf0.js'],
  ['test/unit/rtmp/planted.ts', '../../../workers/media/probe.js'],
  ['api/box/planted.ts', '../../workers/runtime.js'],
  ['api/box/planted.ts', '../../scripts/migrate.js'],
  ['api/box/planted.ts', '../../tools/chromium.js'],
  ['scripts/embedded/planted.ts', '../../tools/chromium.js'],
  ['api/box/planted.ts', '../../test/support/context.js'],
  ['api/box/planted.ts', '../main.js'],
  ['api/box/planted.ts', 'sequelize'],
  ['api/box/planted.ts', 'bullmq'],
  ['api/box/planted.ts', 'fluent-ffmpeg'],
  ['workers/mail/planted.ts', '../../api/http/route.js'],
  ['workers/mail/planted.ts', '../clock.js'],
  ['workers/mail/planted.ts', '../live.js'],
  ['workers/mail/planted.ts', 'express'],
  ['workers/mail/planted.ts', 'multer'],
  ['shared/models.planted.ts', '../api/routes.js'],
  ['shared/user/planted.ts', '../../workers/handlers.js'],
  ['shared/user/planted.ts', 'express'],
  ['shared/content/planted.ts', 'fluent-ffmpeg'],
  ['shared/platform/planted.ts', '../user/user.model.js'],
  ['shared/platform/planted.ts', '../models.js'],
  ['shared/platform/planted.ts', '../openContext.js'],
  ['shared/platform/search/planted.ts', '../../models.js'],
  ['shared/platform/search/postgres/planted.ts', '../../../indexes.js'],
  ['shared/payment/providers/planted.ts', '../../purchases.js'],
  ['shared/platform/search/planted.ts', '../../vod/vod.model.js'],
  ['shared/platform/storage/planted.ts', 'multer'],
  ['shared/user/planted.ts', '../openContext.js'],
  ['shared/vod/planted.ts', '../jobs.js'],
  ['shared/vod/planted.ts', '../purchases.js'],
  ['shared/content/planted.ts', '../user/user.model.js'],
  ['shared/content/planted.ts', '../thumbnails.js'],
  ['shared/content/planted.ts', '../license/usage.service.js'],
  ['shared/license/planted.ts', '../box/box.model.js'],
  ['shared/box/planted.ts', '../vod/vod.model.js'],
  ['shared/vod/planted.ts', '../playback/grant.js'],
  ['shared/vod/planted.ts', '../bundle/bundle.queries.js'],
  ['shared/media/planted.ts', '../platform/log.js'],
  ['shared/media/mp4/planted.ts', '../../content/plan.js'],
  ['shared/media/planted.ts', 'fluent-ffmpeg'],
  ['shared/cast/playout/planted.ts', '../../platform/context.js'],
  ['shared/cast/playout/planted.ts', '../cast.model.js'],
  ['shared/platform/lease/planted.ts', '../log.js'],
  ['shared/platform/lease/planted.ts', '../queue/index.js'],
  ['shared/platform/queue/planted.ts', '../config.js'],
  ['shared/platform/queue/outbox/planted.ts', '../../context.js'],
  ['shared/platform/search/planted.ts', '../context.js'],
  ['shared/platform/search/postgres/planted.ts', '../../log.js'],
  ['workers/rtmp/planted.ts', '../live/liveRuns.js'],
  ['workers/rtmp/planted.ts', '../../shared/platform/log.js'],
  ['workers/media/planted.ts', '../runtime/worker.js'],
  ['workers/media/planted.ts', '../../shared/platform/log.js'],
  ['workers/media/planted.ts', '../../shared/content/content.model.js'],
  ['workers/media/planted.ts', 'express'],
  ['client/planted.ts', '../shared/platform/log.js'],
  ['client/planted.ts', 'node:fs'],
];

const allowed: readonly Import[] = [
  ...Object.keys(doors).map((folder): Import => ['test/media/planted.ts', `../../${folder}/index.js`]),
  ['api/box/planted.ts', '../../shared/box/box.service.js'],
  ['api/vod/planted.ts', '../user/user.schemas.js'],
  ['workers/mail/planted.ts', '../../shared/openContext.js'],
  ['workers/media/planted.ts', '../../shared/media/mp4/index.js'],
  ['workers/media/planted.ts', '../../shared/content/plan.js'],
  ['shared/models.planted.ts', './vod/vod.model.js'],
  ['shared/platform/storage/planted.ts', '../context.js'],
  ['shared/platform/planted.ts', './search/index.js'],
  ['shared/platform/search/planted.ts', '../queue/index.js'],
  ['shared/platform/search/postgres/planted.ts', '../../database/sql.js'],
  ['shared/payment/providers/planted.ts', '../context.js'],
  ['shared/vod/planted.ts', '../platform/context.js'],
  ['shared/vod/planted.ts', '../box/box.model.js'],
  ['shared/playback/planted.ts', '../vod/vod.model.js'],
  ['shared/bundle/planted.ts', '../vod/vod.service.js'],
  ['workers/rtmp/planted.ts', '../../shared/media/flv/index.js'],
  ['workers/live/planted.ts', '../../shared/media/grid.js'],
  ['test/unit/rtmp/planted.ts', '../../../workers/rtmp/amf0.js'],
  ['test/media/planted.ts', '../support/rtmp/rtmpClient.js'],
  ['scripts/planted.ts', '../shared/openContext.js'],
  ['tools/planted.ts', '../scripts/migrate.js'],
];

/** Emitters that can fail before they have an error listener. */
const unheard: readonly string[] = [
  "import { Transform } from 'node:stream';\nexport const it = new Transform();",
  "import { Transform as Step } from 'node:stream';\nexport const it = (): unknown => new Step();",
  "import * as streams from 'node:stream';\nexport const it = new streams.PassThrough();",
  "import streams from 'node:stream';\nexport const it = new streams.PassThrough();",
  "import { Readable } from 'node:stream';\nexport const it = (use: (body: unknown) => void): void => use(Readable.from([]));",
  "import { Readable } from 'node:stream';\nexport const it = Readable.fromWeb;",
  "import { Readable } from 'node:stream';\nexport class It extends Readable {}",
  "import { createReadStream } from 'node:fs';\nexport const it = (path: string): unknown => createReadStream(path);",
  "import { createReadStream } from 'node:fs';\nexport const it = [createReadStream];",
  "import { open } from 'node:fs/promises';\nexport const it = async (path: string): Promise<unknown> => (await open(path)).createReadStream();",
  "import { connect } from 'node:net';\nexport async function it(wait: () => Promise<void>): Promise<void> {\n  const socket = connect(1);\n  await wait();\n  socket.on('error', () => {});\n}",
  "import { connect } from 'node:net';\nexport function it(isUsed: boolean): void {\n  const socket = connect(1);\n  if (!isUsed) return;\n  socket.on('error', () => {});\n}",
  "import { connect } from 'node:net';\nexport function it(): void {\n  const socket = connect(1);\n  setTimeout(() => socket.on('error', () => {}), 1);\n}",
  "import { createServer } from 'node:http';\nexport const it = createServer().once('error', () => {});",
  "import { request } from 'node:https';\nexport const it = request('https://host').on('response', () => {});",
  "import { spawn } from 'node:child_process';\nexport const it = spawn('program').on('exit', () => {});",
  "import { Worker } from 'node:worker_threads';\nexport const it = new Worker('file');",
  "import pg from 'pg';\nexport const it = new pg.Pool();",
  "import { Redis } from 'ioredis';\nexport const it = new Redis();",
];

const heard: readonly string[] = [
  "import { Transform } from 'node:stream';\nimport { withErrorListener } from './errorListener.js';\nexport const it = withErrorListener(new Transform());",
  "import { createReadStream, createWriteStream } from 'node:fs';\nimport { pipeline } from 'node:stream/promises';\nexport const it = (path: string): Promise<void> => pipeline(createReadStream(path), createWriteStream(path));",
  "import { createReadStream } from 'node:fs';\nexport async function it(path: string, take: (part: unknown) => void): Promise<void> {\n  for await (const part of createReadStream(path)) take(part);\n}",
  "import { connect } from 'node:net';\nexport function it(): unknown {\n  const socket = connect(1);\n  socket.setNoDelay();\n  socket.once('error', () => {});\n  return socket;\n}",
  "import { request } from 'node:https';\nexport const it = (): Promise<unknown> =>\n  new Promise((resolve, reject) => {\n    const sent = request('https://host');\n    sent.on('response', resolve).on('error', reject);\n  });",
  "import { spawn } from 'node:child_process';\nexport const it = spawn('program').on('exit', () => {}).on('error', () => {});",
  "import { Readable } from 'node:stream';\nexport const it = (body: unknown): boolean => body instanceof Readable;",
];

describe('the lint rules', function () {
  this.timeout(60_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-imports-'));
    for (const file of ['.oxlintrc.mjs', 'tools/errorListenerRule.mjs']) await cp(join(root, file), join(folder, file));
    await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function plant(path: string, source: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), source);
  }

  /** Files in which the linter of `npm run check` finds a breach of a rule. */
  function filesBreaking(rule: string): string[] {
    const done = spawnSync(process.execPath, [linter, '-c', '.oxlintrc.mjs', '-f', 'json'], {
      cwd: folder,
      encoding: 'utf8',
    });
    const { diagnostics } = JSON.parse(done.stdout) as { diagnostics: { code: string; filename: string }[] };
    return diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename);
  }

  /** Plants a file for each import; resolves with their paths. */
  async function plantAll(cases: typeof breaches): Promise<string[]> {
    const paths = cases.map(([file], index) => file.replace('planted', `planted${index}`));
    await Promise.all(
      cases.map(([, imported], index) =>
        plant(paths[index] as string, `import { it } from '${imported}';\nexport const same = it;\n`),
      ),
    );
    return paths;
  }

  it('find every violation', async () => {
    const planted = await plantAll(breaches);
    const found = new Set(filesBreaking('no-restricted-imports'));
    const missed = breaches.filter((_, index) => !found.has(planted[index] as string)).map((one) => one.join(' -> '));
    expect(missed).to.deep.equal([]);
  });

  it('permit imports of lower levels', async () => {
    await plantAll(allowed);
    expect(filesBreaking('no-restricted-imports')).to.deep.equal([]);
  });

  it('find import cycles, including those of types', async () => {
    await plant('shared/user/one.ts', `import { two } from './two.js';\nexport const one = (): unknown => two;\n`);
    await plant('shared/user/two.ts', `import { one } from './one.js';\nexport const two = (): unknown => one;\n`);
    await plant('shared/box/one.ts', `import type { Two } from './two.js';\nexport type One = Two | 1;\n`);
    await plant('shared/box/two.ts', `import type { One } from './one.js';\nexport type Two = One | 2;\n`);
    const found = ['shared/user/one.ts', 'shared/user/two.ts', 'shared/box/one.ts', 'shared/box/two.ts'];
    expect(filesBreaking('no-cycle')).to.have.members(found);
  });

  it('find nonlinear regular expressions in code that processes external text', async () => {
    const expressions = ['/\\/+$/', '/^\\/+|\\/+$/g', '/\\s*,\\s*/', '/^(a+)+$/', '/^a*b?a*$/', '/%.*$/'];
    const paths = await Promise.all(
      expressions.map(async (expression, index) => {
        const path = `${['api', 'shared', 'workers'][index % 3]}/user/planted${index}.ts`;
        await plant(path, `export const expression = ${expression};\n`);
        return path;
      }),
    );
    for (const linear of ['/^\\/+/', '/[a-z]+/g', '/^[^,]*,[^,]*$/'])
      await plant(`shared/user/linear${linear.length}.ts`, `export const expression = ${linear};\n`);
    const found = new Set(filesBreaking('no-super-linear'));
    expect([...found]).to.have.members(paths);
  });

  it('find emitters without an early error listener in every part that runs as a process', async () => {
    const parts = ['api/box', 'shared/user', 'workers/mail', 'scripts/embedded', 'tools'];
    const place = (index: number): string => `${parts[index % parts.length]}/planted${index}.ts`;
    await Promise.all(unheard.map((source, index) => plant(place(index), `${source}\n`)));
    await Promise.all(heard.map((source, index) => plant(`shared/user/heard${index}.ts`, `${source}\n`)));
    const found = new Set(filesBreaking('error-listener'));
    expect([...found]).to.have.members(unheard.map((_source, index) => place(index)));
  });

  it('find files of more than 300 lines', async () => {
    await plant('shared/user/long.ts', 'export const line = 1;\n'.concat('// more\n'.repeat(300)));
    await plant('shared/user/right.ts', 'export const line = 1;\n'.concat('// more\n'.repeat(299)));
    expect(filesBreaking('max-lines')).to.deep.equal(['shared/user/long.ts']);
  });
});

it('Tests are skipped only by requirement, so that hooks never close unopened resources', () => {
  const found = spawnSync('grep', ['-rlE', String.raw`\.(skip|only)\(`, 'test'], { cwd: root, encoding: 'utf8' });
  expect(found.stdout.trim()).to.equal('test/support/requirements.ts');
});

it('No code combines AbortSignal.any with AbortSignal.timeout, which Node 20 can garbage-collect too early', () => {
  const folders = ['api', 'workers', 'shared', 'scripts', 'tools', 'client'];
  const filesWith = (text: string): string[] => {
    const { stdout } = spawnSync('grep', ['-rlF', '--include=*.ts', `${text}(`, ...folders], {
      cwd: root,
      encoding: 'utf8',
    });
    return stdout.split('\n').filter((file) => file !== '');
  };
  const limited = filesWith('AbortSignal.timeout');
  expect(filesWith('AbortSignal.any').filter((file) => limited.includes(file))).to.deep.equal([]);
});

describe('the import closures', () => {
  const imports = readImports(root);

  it('are small at the median: types that every module needs load no implementation', () => {
    expect(medianClosure(imports)).to.be.at.most(20);
  });

  for (const [name, maximum] of [
    ['ingestContent.ts', 150],
    ['liveProcess.ts', 130],
    ['reversePayments.ts', 150],
  ] as const)
    it(`${name} loads at most ${maximum} files`, () => {
      const file = fileNamed(imports, name);
      expect(closureOf(imports, file).size, `npm run reach -- ${file}`).to.be.at.most(maximum);
    });
});
