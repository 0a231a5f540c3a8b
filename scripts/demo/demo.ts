import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/platform/config.js';
import { StartupError } from '../embedded/startupError.js';
import type { Progress, Terminal } from '../embedded/terminal.js';
import { ApiError, createClient, type Client } from './client.js';
import { logIn } from './demoUser.js';
import { makeSampleClip } from './sampleClip.js';

/** The progress of the demo, kept in `DATA_DIR/demo.json`: a demo that was interrupted continues at the next start. */
export interface Demo {
  userCode: string;
  password: string;
  vodId: string;
}

interface DemoOptions {
  readonly config: Config;
  readonly ffmpegPath: string;
  readonly terminal: Terminal;
  /** Aborted when the start shuts down. */
  readonly signal: AbortSignal;
}

/** The options, a client, and the token of the demo user. */
interface DemoRun extends DemoOptions {
  readonly client: Client;
  readonly token: string;
}

interface BoxItem {
  readonly boxId: string;
  readonly title: string;
  readonly status: string;
}

interface StatusEvent {
  readonly status: string;
  readonly progress: number;
  readonly message?: string;
}

const title = 'A first video';
const firstPage = { pageSize: 20, pageIndex: 0 };
const timeoutMs = 15 * 60_000;

/**
 * Uploads, transcodes and publishes a sample clip over the HTTP interface. Steps that an earlier start has completed are
 * not repeated. Resolves with null, after printing the reason, if the demo could not be completed.
 */
export async function runDemo(options: DemoOptions): Promise<Demo | null> {
  try {
    return await demo(options);
  } catch (error) {
    if (!options.signal.aborted) {
      options.terminal.say(`The demo has stopped and will continue at the next start: ${(error as Error).message}`);
    }
    return null;
  }
}

async function demo(options: DemoOptions): Promise<Demo> {
  const { config } = options;
  const path = join(config.dataDir, 'demo.json');
  const state: Demo = { userCode: 'demo', password: randomBytes(12).toString('base64url'), vodId: '', ...read(path) };
  const client = createClient(localAddress(config), config.oauth.clients[0].id, config.oauth.clients[0].secret);
  const run = { ...options, client, token: await logIn(client, state, () => write(path, state)) };
  if (state.vodId && (await exists(client.get(`/api/vod/${state.vodId}`, run.token)))) return state;
  const boxId = (await findUploaded(run)) ?? (await upload(run));
  await waitUntilReady(run, boxId);
  state.vodId = await publish(run, boxId);
  write(path, state);
  return state;
}

/** The address of the service on this machine: its public URL may not be reachable from here. */
function localAddress({ http, service }: Config): string {
  const host = ['0.0.0.0', '::'].includes(http.host) ? '127.0.0.1' : http.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${http.port}${service.basePath}`;
}

async function exists(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

/** The box item of an earlier start that was interrupted. */
async function findUploaded({ client, token }: DemoRun): Promise<string | undefined> {
  const { items } = await client.post<{ items: BoxItem[] }>('/api/search/box/contents', token, firstPage);
  return items.find((item) => item.title === title && item.status !== 'FAILED')?.boxId;
}

async function upload({ client, token, terminal, ffmpegPath, config, signal }: DemoRun): Promise<string> {
  const clip = join(config.dataDir, 'sample.mp4');
  if (!existsSync(clip)) {
    terminal.say('Creating a sample clip ...');
    await makeSampleClip(ffmpegPath, clip, signal);
  }
  const progress = terminal.progress('Upload');
  const fields = { title, description: 'Made and uploaded by the first start.', tag: 'sample' };
  try {
    const item = await client.upload<BoxItem>('/api/box', token, { file: clip, fields }, progress.show);
    rmSync(clip);
    return item.boxId;
  } finally {
    progress.end();
  }
}

async function waitUntilReady(run: DemoRun, boxId: string): Promise<void> {
  const progress = run.terminal.progress('Transcode');
  try {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline;) {
      if (await followStatus(run, boxId, progress)) return;
      await sleep(1_000, undefined, { signal: run.signal });
    }
    throw new Error('transcoding takes too long');
  } finally {
    progress.end();
  }
}

/** Resolves with false if the event stream has ended early: the web process may be restarting. */
async function followStatus({ client, token, signal }: DemoRun, boxId: string, progress: Progress): Promise<boolean> {
  const events = client.events<StatusEvent>(`/api/box/${boxId}/status/events`, token, signal);
  try {
    for await (const event of events) {
      progress.show(event.progress);
      if (event.status === 'FAILED') throw new StartupError(event.message ?? 'the sample clip was not accepted');
      if (event.status === 'READY') return true;
    }
  } catch (error) {
    if (signal.aborted || error instanceof StartupError) throw error;
  }
  return false;
}

async function publish({ client, token }: DemoRun, boxId: string): Promise<string> {
  const { items } = await client.post<{ items: { vodId: string; boxId: string }[] }>(
    '/api/search/vod/contents',
    token,
    firstPage,
  );
  const before = items.find((item) => item.boxId === boxId);
  if (before) return before.vodId;
  return (await client.post<{ vodId: string }>(`/api/box/${boxId}/vod`, token, { licenseType: 'FREE' })).vodId;
}

function read(path: string): Partial<Demo> {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Partial<Demo>) : {};
}

function write(path: string, state: Demo): void {
  writeFileSync(`${path}.new`, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
