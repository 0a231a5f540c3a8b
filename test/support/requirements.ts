import { spawnSync, execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromiumPath } from '../../tools/chromium.js';
import { onPath } from '../../scripts/embedded/mediaTools.js';
import { projectFile } from './projectFile.js';

/** Optional parts of a machine that some tests need. Everything else exists after `npm ci`, or the test fails. */
export interface Requirement {
  /** The name in the report: `needs <name>`. */
  readonly name: string;
  readonly isMet: () => boolean;
}

export const nginxModules = {
  javaScript: '/usr/lib/nginx/modules/ngx_http_js_module.so',
  rtmp: '/usr/lib/nginx/modules/ngx_rtmp_module.so',
  stream: '/usr/lib/nginx/modules/ngx_stream_module.so',
};
/** From Debian's package `xmltv-util`. */
export const xmltvDtd = '/usr/share/xmltv/xmltv.dtd';

/** `shaka-player.compiled.js` of the npm package `shaka-player`, which is too large to be a dependency. */
export const shakaPlayerPath = process.env['SHAKA_PLAYER_PATH'] ?? '';

/** `openapi-generator-cli-<version>.jar` of Maven Central. */
export const openapiGeneratorPath = process.env['OPENAPI_GENERATOR_PATH'] ?? '';
/** A folder with the npm packages `orval`, `@hey-api/openapi-ts` and `typescript` 5. */
export const npmGenerators = process.env['NPM_GENERATORS_PATH'] ?? '';

const nginx = program('nginx', ['-v']);
const openapiGenerator: Requirement = {
  name: 'java and OPENAPI_GENERATOR_PATH',
  isMet: () => openapiGeneratorPath !== '' && program('java', ['-version']).isMet(),
};

export const requirements = {
  chromium: { name: 'Chromium', isMet: () => chromiumPath() !== undefined },
  nginx,
  nginxJavaScript: {
    name: 'nginx with libnginx-mod-http-js',
    isMet: () => nginx.isMet() && existsSync(nginxModules.javaScript),
  },
  nginxRtmp: { name: 'nginx with libnginx-mod-rtmp', isMet: () => nginx.isMet() && existsSync(nginxModules.rtmp) },
  nginxStream: {
    name: 'nginx with libnginx-mod-stream',
    isMet: () => nginx.isMet() && existsSync(nginxModules.stream),
  },
  redis: program('redis-server'),
  /** The test run has a separate Redis: `.ci/onRedis`. */
  redisQueues: { name: 'TEST_REDIS_URL', isMet: () => Boolean(process.env['TEST_REDIS_URL']) },
  pgbouncer: program('pgbouncer'),
  backupTools: {
    name: 'pg_dump of a PostgreSQL of the system, and rsync',
    isMet: () => systemPostgresPrograms() !== null && program('pg_dump').isMet() && program('rsync').isMet(),
  },
  xmllint: { name: 'xmllint and the DTD of XMLTV', isMet: () => existsSync(xmltvDtd) && program('xmllint').isMet() },
  promtool: program('promtool'),
  python: program('python3'),
  mpv: program('mpv'),
  vlc: installed('vlc'),
  streamlink: program('streamlink'),
  ytDlp: program('yt-dlp'),
  gstreamer: program('gst-inspect-1.0', ['hlsdemux2'], 'GStreamer with hlsdemux2'),
  obs: both(installed('obs'), installed('Xvfb')),
  mediamtx: program(process.env['MEDIAMTX_PATH'] ?? 'mediamtx'),
  shaka: { name: 'SHAKA_PLAYER_PATH', isMet: () => shakaPlayerPath !== '' },
  openapiGenerator,
  openapiGeneratorPython: both(openapiGenerator, pythonModules('pydantic', 'urllib3', 'dateutil')),
  openapiPythonClient: pythonModules('openapi_python_client', 'httpx', 'attr'),
  oapiCodegen: both(program('oapi-codegen', ['-version']), program('go', ['version'])),
  npmGenerators: { name: 'NPM_GENERATORS_PATH', isMet: () => npmGenerators !== '' },
  history: { name: 'the git history', isMet: () => revisionBefore() !== null },
  setpriv: program('setpriv'),
  mount: { name: 'the right to mount', isMet: canMount },
  root: { name: 'root', isMet: () => process.getuid?.() === 0 },
} as const satisfies Record<string, Requirement>;

/**
 * A `describe` that is skipped if the machine lacks a requirement, which its title names. Mocha then runs none of its hooks, so no
 * hook closes a fixture that was not opened.
 */
export function describeWith(needed: Requirement, title: string, body: (this: Mocha.Suite) => void): void {
  if (needed.isMet()) describe(title, body);
  else describe.skip(skippedTitle(title, needed), body);
}

/** The same for one test. */
export function itWith(needed: Requirement, title: string, body: (this: Mocha.Context) => unknown): void {
  if (needed.isMet()) it(title, body as Mocha.AsyncFunc);
  else it.skip(skippedTitle(title, needed), body as Mocha.AsyncFunc);
}

/** Both are needed. */
export function both(one: Requirement, other: Requirement): Requirement {
  return { name: `${one.name}, ${other.name}`, isMet: () => one.isMet() && other.isMet() };
}

/** The name by which `tools/testReporter.ts` lists skipped tests. */
function skippedTitle(title: string, { name }: Requirement): string {
  return `${title} (needs ${name})`;
}

/** Whether a program of the search path prints its version without an error. */
function program(file: string, parameters: readonly string[] = ['--version'], name = file): Requirement {
  return { name, isMet: () => spawnSync(file, parameters, { stdio: 'ignore' }).status === 0 };
}

function pythonModules(...names: readonly string[]): Requirement {
  return program('python3', ['-c', `import ${names.join(', ')}`], `python3 with ${names.join(', ')}`);
}

/** Whether the tests run as root, which a program refuses. */
function installed(file: string): Requirement {
  return { name: file, isMet: () => onPath(file) !== undefined };
}

function canMount(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'video-platform-mount-'));
  const run = (file: string, ...parameters: string[]) => spawnSync(file, parameters, { stdio: 'ignore' }).status === 0;
  const isMounted = run('mount', '-t', 'tmpfs', 'tmpfs', folder) && run('umount', folder);
  rmdirSync(folder);
  return isMounted;
}

/** The folder of Debian's newest PostgreSQL programs, or null. */
export function systemPostgresPrograms(): string | null {
  const root = '/usr/lib/postgresql';
  const versions = existsSync(root) ? readdirSync(root).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = versions.map((version) => join(root, version, 'bin'));
  return folders.find((folder) => ['initdb', 'pg_dump'].every((name) => existsSync(join(folder, name)))) ?? null;
}

/**
 * The rows of a test table. A run of all tests uses those named in `everyRun`, one for each path through the code; all rows
 * run at night and if a test file is named (`TEST_TABLES=whole`, set by `tools/test.ts`).
 */
export function rowsOf<Row extends { readonly name: string }>(
  table: readonly Row[],
  everyRun: readonly string[],
): readonly Row[] {
  const missing = everyRun.filter((name) => table.every((row) => row.name !== name));
  if (missing.length > 0) throw new Error(`the table has no row ${missing.join(', ')}`);
  return process.env['TEST_TABLES'] === 'whole' ? table : table.filter(({ name }) => everyRun.includes(name));
}

/** Null if the git history is missing. */
export function revisionBefore(): string | null {
  const git = (...parameters: string[]): string =>
    execFileSync('git', parameters, {
      cwd: projectFile('.'),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    const newest = git('log', '-1', '--format=%H', '--', 'scripts/migrations/index.ts');
    return git('rev-parse', '--verify', '--quiet', `${newest}^`);
  } catch {
    return null;
  }
}
