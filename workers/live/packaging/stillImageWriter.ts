import type { Context } from '../../../shared/platform/context.js';
import type { Logger } from '../../../shared/platform/log.js';
import { heightOf } from '../../../shared/streaming/listedSegment.js';
import { hasStillImage, maxStillImages, stillImageFile } from '../../../shared/streaming/liveStillImage.js';
import { liveFileKey } from '../../../shared/streaming/liveRendition.js';
import { jpegColours } from '../../media/index.js';
import { allocationLimitBytes } from './encodingCommand.js';
import { startEncoder } from './encoderProcess.js';
import type { NewSegment, PackagedRun } from './segmentWriter.js';

/** Sufficient for a poster; a higher rendition is decoded only if there is no other. */
const largestHeight = 720;
const timeoutMs = 10_000;
const largestBytes = 2 * 1024 ** 2;

interface MakerOptions {
  readonly ctx: Context;
  readonly log: Logger;
  readonly run: PackagedRun;
  readonly maxPixels: number;
}

/**
 * Creates still images of a run, for the player page before playback. Each is the first frame of a segment. They are created one at
 * a time; failures are logged and do not affect the run.
 */
export class StillImageWriter {
  #before: { runId: string; startsAtMs: number } | undefined;
  #isBusy = false;
  #making: Promise<unknown> = Promise.resolve();
  readonly #stop = new AbortController();
  readonly #stored: string[] = [];

  constructor(private readonly options: MakerOptions) {}

  /** Called for each segment with video, in order. */
  note({ startsAt, files }: Pick<NewSegment, 'startsAt' | 'files'>): void {
    const { ctx, log, run, maxPixels } = this.options;
    const segment = { runId: run.runId, startsAtMs: startsAt.getTime() };
    const isDue = hasStillImage(segment, this.#before);
    this.#before = segment;
    const source = files.find(({ name }) => heightOf(name) <= largestHeight) ?? files.at(-1);
    if (!isDue || this.#isBusy || !source || this.#stop.signal.aborted) return;
    this.#isBusy = true;
    // The data of the segment is valid only during this call.
    const media = Buffer.concat([source.initialisation, ...source.data]);
    const key = liveFileKey(run.folder, stillImageFile(segment));
    this.#making = firstFrame(ctx.config.media.ffmpegPath, media, maxPixels, this.#stop.signal)
      .then((image) => this.#keep(key, image))
      .catch((error: unknown) => this.#stop.signal.aborted || log.warn({ err: error }, 'live still image not created'))
      .finally(() => (this.#isBusy = false));
  }

  /** Called at the end of the run. Stops writing, and removes the images, because they are no longer shown. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#making;
    await this.options.ctx.storage
      .remove(this.#stored.splice(0))
      .catch((error: unknown) => this.options.log.warn({ err: error }, 'live still images not removed'));
  }

  async #keep(key: string, image: Buffer): Promise<void> {
    const { storage } = this.options.ctx;
    this.#stored.push(key);
    await storage.put(key, image, { contentType: 'image/jpeg', signal: this.#stop.signal });
    await storage.remove(this.#stored.splice(0, Math.max(0, this.#stored.length - maxStillImages)));
  }
}

/** The first frame of a segment as JPEG. Rejects if it cannot be decoded. */
async function firstFrame(ffmpegPath: string, media: Buffer, maxPixels: number, signal: AbortSignal): Promise<Buffer> {
  const decoder = startEncoder(ffmpegPath, commandOf(maxPixels), 1);
  const kill = (): void => decoder.kill();
  const timeout = setTimeout(kill, timeoutMs);
  signal.addEventListener('abort', kill, { once: true });
  const parts: Buffer[] = [];
  let bytes = 0;
  decoder.outputs[0]?.on('data', (part: Buffer) => {
    parts.push(part);
    bytes += part.length;
    if (bytes > largestBytes) kill();
  });
  decoder.input.end(media);
  const { isClean, detail } = await decoder.ended.finally(() => {
    clearTimeout(timeout);
    signal.removeEventListener('abort', kill);
  });
  if (!isClean || bytes === 0) throw new Error(detail);
  return Buffer.concat(parts);
}

function commandOf(maxPixels: number): string[] {
  return [
    ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-threads', '1'],
    ...['-max_alloc', String(allocationLimitBytes), '-max_pixels', String(maxPixels)],
    ...['-protocol_whitelist', 'pipe', '-format_whitelist', 'mov', '-f', 'mov', '-i', 'pipe:0', '-map', '0:v:0'],
    // Web pages display square pixels.
    ...['-frames:v', '1', '-vf', `scale=trunc(iw*sar/2)*2:ih:${jpegColours},setsar=1`, '-map_metadata', '-1'],
    ...['-c:v', 'mjpeg', '-q:v', '4', '-pix_fmt', 'yuvj420p', '-f', 'image2pipe', 'pipe:3'],
  ];
}
