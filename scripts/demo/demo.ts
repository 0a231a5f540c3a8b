import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/platform/config.js';
import { StartupError } from '../embedded/startupError.js';
import type { Progress, Terminal } from '../embedded/terminal.js';
import { ApiError, type Client } from './client.js';
import { keepDemo, localClient, readDemo, type Demo } from './demoState.js';
import { logIn } from './demoUser.js';
import { makeSampleClip } from './sampleClip.js';

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
  const state = readDemo(config);
  const client = localClient(config);
  const run = { ...options, client, token: await logIn(client, state, () => keepDemo(config, state)) };
  if (state.vodId && (await exists(client.get(`/api/vod/${state.vodId}`, run.token)))) return state;
  const boxId = (await findUploaded(run)) ?? (await upload(run));
  await waitUntilReady(run, boxId);
  state.vodId = await publish(run, boxId);
  keepDemo(config, state);
  return state;
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
