import { openAsBlob } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContentFailedError, dataOf, type BoxItem, type UploadProgress, type VideoClient } from '../../client/index.js';
import type { Config } from '../../shared/platform/config.js';
import { TimeoutError, withTimeLimit } from '../../shared/platform/withTimeout.js';
import { StartupError } from '../embedded/startupError.js';
import type { Terminal } from '../embedded/terminal.js';
import { makeSampleClip, type SampleClip } from './sampleClip.js';

/** The resources of a demo. */
export interface DemoRun {
  readonly config: Config;
  readonly ffmpegPath: string;
  readonly terminal: Terminal;
  /** Aborted when the command shuts down. */
  readonly signal: AbortSignal;
  /** Logged in as the demo user. */
  readonly client: VideoClient;
}

/** `READY`: the clip plays. `COMPLETE`: it has all renditions, so that a cast channel can show it. */
type Goal = 'READY' | 'COMPLETE';

const timeoutMs = 15 * 60_000;

/**
 * The box item of a sample clip, processed up to `goal`. The clip is generated and uploaded unless an earlier demo, perhaps an
 * interrupted one, has uploaded it.
 */
export async function uploadedClip(run: DemoRun, clip: SampleClip, goal: Goal): Promise<BoxItem> {
  const boxId = (await findUploaded(run, clip)) ?? (await upload(run, clip));
  const progress = run.terminal.progress('Transcode');
  try {
    return await withTimeLimit(run.signal, timeoutMs, (signal) =>
      run.client.untilReady(boxId, {
        until: goal,
        signal,
        onProgress: (state) => progress.show(state.preparing ?? state.progress),
      }),
    );
  } catch (error) {
    if (error instanceof ContentFailedError) throw new StartupError(error.message);
    if (error instanceof TimeoutError)
      throw new StartupError('Transcoding takes too long: see the output of npm start.');
    throw error;
  } finally {
    progress.end();
  }
}

async function findUploaded({ client }: DemoRun, { title }: SampleClip): Promise<string | undefined> {
  const body = { queryString: title, pageSize: 100, pageIndex: 0 };
  const { items } = dataOf(await client.api.POST('/api/search/box/contents', { body }));
  return items.find((item) => item.title === title && item.status !== 'FAILED')?.boxId;
}

async function upload(run: DemoRun, clip: SampleClip): Promise<string> {
  const { client, terminal, ffmpegPath, config, signal } = run;
  // A separate folder: `npm start` and a demo may create the same clip concurrently.
  const folder = await mkdtemp(join(config.dataDir, 'sample-'));
  try {
    const fileName = `${clip.title.toLowerCase().replaceAll(' ', '-')}.mp4`;
    const path = join(folder, fileName);
    terminal.say(`Creating a sample clip: ${clip.title} ...`);
    await makeSampleClip(clip, { ffmpegPath, path, signal });
    const progress = terminal.progress('Upload');
    const fields = { title: clip.title, description: 'Generated and uploaded by a demo.', tags: ['sample'], fileName };
    const onProgress = ({ percent }: UploadProgress): void => progress.show(percent);
    const uploading = client.upload(await openAsBlob(path), fields, { onProgress, signal });
    return await uploading.finally(() => progress.end());
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
