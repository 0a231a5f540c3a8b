import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile, copyFile, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFile, printedBlocks } from './projectFile.js';
import { tmpdir } from 'node:os';
import { makeVideo } from './media.js';

const run = promisify(execFile);

/** Uses of the client that must compile, and some that must not. */
const uses = `
import { createVideoClient, dataOf, verifyWebhook, type BoxItem, type VideoClient } from 'video-platform-client';

const credentials = { baseUrl: 'http://127.0.0.1:9', clientId: 'web', clientSecret: '' };
const video: VideoClient = createVideoClient({ ...credentials, session: undefined, language: undefined });
const path = { boxId: '8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11' };
const item: BoxItem = dataOf(await video.api.GET('/api/box/{boxId}', { params: { path } }));
const body = { file: new Blob(['WEBVTT']), language: 'it' };
await video.api.POST('/api/box/{boxId}/captions', { params: { path }, body });
const event = await verifyWebhook({ secret: '', headers: {}, body: '' });
if (event.type === 'content.ready') console.log(event.data.boxItem.title);
// @ts-expect-error There is no such operation.
await video.api.GET('/api/nothing');
// @ts-expect-error There is no such member.
console.log(item.titel);
// @ts-expect-error There is no such status.
console.log(item.status === 'DONE');
// @ts-expect-error An upload needs a title.
await video.upload(new Blob([]), {});
`;

/** A folder in which the client of a service is installed as README describes, with README's program in TypeScript. */
export interface ClientProgram extends ProgramFolder {
  /** The errors that a compiler prints about the program and all imported declarations; empty if it compiles. */
  readonly typeErrors: (compiler: string, options: CompilerOptions) => Promise<string>;
}

export type CompilerOptions = Readonly<Record<string, unknown>>;

/** The module resolutions that read a package's `exports`. */
export const moduleResolutions = [
  { module: 'esnext', moduleResolution: 'bundler' },
  { module: 'node16', moduleResolution: 'node16' },
  { module: 'nodenext', moduleResolution: 'nodenext' },
] as const satisfies readonly CompilerOptions[];

export async function openClientProgram(serviceUrl: string): Promise<ClientProgram> {
  const folder = await openProgramFolder();
  const { installation, program } = await readmeExample();
  await folder.run('sh', installation, { SERVICE: serviceUrl });
  const inFolder = (path: string): string => join(folder.path, path);
  await mkdir(inFolder('node_modules/@types'));
  await symlink(projectFile('node_modules/@types/node'), inFolder('node_modules/@types/node'));
  await writeFile(inFolder('film.ts'), program);
  await writeFile(inFolder('uses.ts'), uses);
  return {
    ...folder,
    async typeErrors(compiler, options) {
      const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false };
      const compilerOptions = { target: 'es2022', types: ['node'], noEmit: true, ...strict, ...options };
      await writeFile(inFolder('tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
      return run(process.execPath, [compiler, '-p', '.'], { cwd: folder.path }).then(
        ({ stdout }) => stdout,
        (error: Error & { stdout?: string }) => error.stdout || error.message,
      );
    },
  };
}

const interpreters = {
  sh: ['bash', '-ec'],
  js: [process.execPath, '--input-type=module', '-e'],
  python: ['python3', '-c'],
} as const;

export type PrintedLanguage = keyof typeof interpreters;

/** The folder of a third-party program, with a video under the names that examples use. */
export interface ProgramFolder {
  readonly path: string;
  /** Runs documented code and returns its output. Only `env`, the search path and npm settings are set. */
  readonly run: (language: PrintedLanguage, code: string, env?: Readonly<Record<string, string>>) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function openProgramFolder(): Promise<ProgramFolder> {
  const path = await mkdtemp(join(tmpdir(), 'video-platform-printed-'));
  // No registry: a URL to which nothing listens. npm uses a separate cache.
  const npm = {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_fetch_retries: '0',
    npm_config_cache: join(path, '.npm'),
  };
  const video = await makeVideo();
  for (const name of ['river.mp4', 'film.mp4']) await copyFile(video, join(path, name));
  // Without it, npm installs into the next parent folder that has one.
  await writeFile(join(path, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  return {
    path,
    async run(language, code, env = {}) {
      const [program, ...options] = interpreters[language];
      const { stdout } = await run(program, [...options, code], {
        cwd: path,
        env: { PATH: process.env['PATH'], ...npm, ...env },
        timeout: 120_000,
      });
      return stdout;
    },
    close: () => rm(path, { recursive: true, force: true }),
  };
}

/** Runs documented code in a new folder, and returns its output. */
export async function runPrinted(
  language: PrintedLanguage,
  code: string,
  env?: Readonly<Record<string, string>>,
): Promise<string> {
  const folder = await openProgramFolder();
  try {
    return await folder.run(language, code, env);
  } finally {
    await folder.close();
  }
}

/** README's example: the line that installs the client, and the program that uploads a film. */
export async function readmeExample(): Promise<{ readonly installation: string; readonly program: string }> {
  const commands = (await printedBlocks('../README', 'sh')).join('');
  const installation = /^npm install .*client\.tgz.*$/m.exec(commands)?.[0];
  if (installation === undefined) throw new Error('README.md has no line that installs the client');
  return { installation, program: (await printedBlocks('../README', 'js')).join('\n') };
}
