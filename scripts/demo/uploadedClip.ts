import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../../shared/platform/config.js';
import { StartupError } from '../embedded/startupError.js';
import type { Progress, Terminal } from '../embedded/terminal.js';
import type { Client } from './client.js';
import { makeSampleClip, type SampleClip } from './sampleClip.js';

/** What the demos work with. */
export interface DemoRun {
  readonly config: Config;
  readonly ffmpegPath: string;
  readonly terminal: Terminal;
  /** Aborted when the command shuts down. */
  readonly signal: AbortSignal;
  readonly client: Client;
  /** Of the demo user. */
  readonly token: string;
}

export interface DemoBoxItem {
  readonly boxId: string;
  readonly title: string;
  readonly status: string;
  /** Minutes and seconds; known when the item is READY. */
  readonly duration?: string;
  /** With READY: how far the renditions are that are still made, in percent. */
  readonly preparing?: number;
}

interface StatusEvent extends Pick<DemoBoxItem, 'status' | 'preparing'> {
  readonly progress: number;
  readonly message?: string;
}

/** `READY`: it plays. `COMPLETE`: it has all its renditions, so a cast channel can show it. */
type Goal = 'READY' | 'COMPLETE';

const timeoutMs = 15 * 60_000;

/**
 * The box item of a sample clip, as far as `goal` says. The clip is generated and uploaded unless an earlier run of a demo has done
 * so, also where that run was interrupted.
 */
export async function uploadedClip(run: DemoRun, clip: SampleClip, goal: Goal): Promise<DemoBoxItem> {
  const boxId = (await findUploaded(run, clip)) ?? (await upload(run, clip));
  await waitUntil(goal, run, boxId);
  return run.client.get<DemoBoxItem>(`/api/box/${boxId}`, run.token);
}

async function findUploaded({ client, token }: DemoRun, { title }: SampleClip): Promise<string | undefined> {
  const body = { queryString: title, pageSize: 100, pageIndex: 0 };
  const { items } = await client.post<{ items: DemoBoxItem[] }>('/api/search/box/contents', token, body);
  return items.find((item) => item.title === title && item.status !== 'FAILED')?.boxId;
}

async function upload(run: DemoRun, clip: SampleClip): Promise<string> {
  const { client, token, terminal, ffmpegPath, config, signal } = run;
  // A folder of its own: `npm start` and a demo may create the same clip at the same time.
  const folder = await mkdtemp(join(config.dataDir, 'sample-'));
  try {
    const path = join(folder, `${clip.title.toLowerCase().replaceAll(' ', '-')}.mp4`);
    terminal.say(`Creating a sample clip: ${clip.title} ...`);
    await makeSampleClip(clip, { ffmpegPath, path, signal });
    const progress = terminal.progress('Upload');
    const fields = { title: clip.title, description: 'Made and uploaded by a demo.', tag: 'sample' };
    const uploading = client.upload<DemoBoxItem>('/api/box', token, { file: path, fields }, progress.show);
    return (await uploading.finally(() => progress.end())).boxId;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const hasReached = (goal: Goal, { status, preparing }: Pick<DemoBoxItem, 'status' | 'preparing'>): boolean =>
  status === 'READY' && (goal === 'READY' || preparing === undefined);

async function waitUntil(goal: Goal, run: DemoRun, boxId: string): Promise<void> {
  if (hasReached(goal, await run.client.get<DemoBoxItem>(`/api/box/${boxId}`, run.token))) return;
  const progress = run.terminal.progress('Transcode');
  try {
    for (const deadline = Date.now() + timeoutMs; Date.now() < deadline;) {
      if (await followStatus(goal, run, boxId, progress)) return;
      await sleep(1_000, undefined, { signal: run.signal });
    }
    throw new StartupError('Transcoding takes too long: see the output of npm start.');
  } finally {
    progress.end();
  }
}

/** Resolves with false if the event stream has ended early: the web process may be restarting. */
async function followStatus(
  goal: Goal,
  { client, token, signal }: DemoRun,
  boxId: string,
  progress: Progress,
): Promise<boolean> {
  const events = client.events<StatusEvent>(`/api/box/${boxId}/status/events`, token, signal);
  try {
    for await (const event of events) {
      progress.show(event.preparing ?? event.progress);
      if (event.status === 'FAILED') throw new StartupError(event.message ?? 'the sample clip was not accepted');
      if (hasReached(goal, event)) return true;
    }
  } catch (error) {
    if (signal.aborted || error instanceof StartupError) throw error;
  }
  return false;
}
