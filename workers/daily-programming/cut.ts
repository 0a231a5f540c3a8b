import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredRendition } from '../../shared/cast/cast.model.js';
import { packetOffsets } from '../../shared/media/aac/adts.js';
import { readMp4Tracks } from '../../shared/media/mp4/tracks.js';
import { stripBitrateHints } from '../../shared/media/mp4/initialisation.js';
import { correctSegment } from '../../shared/media/mp4/segmentTimes.js';
import { createUploads } from '../runtime/uploads.js';
import { audioCommand, cutCommand } from './cutCommand.js';
import { cutSource, fetchSegments, type Cut, type CutAudio, type CutSource } from './cutSource.js';
import { PreparationFault, type PreparationWork } from './preparationWork.js';
import { checkSegment, type ExpectedSegment } from './segmentCheck.js';

/**
 * Makes one segment of the frames of a cut, in every rendition, from the stored segments of the content. It is exact to the
 * frame; its audio consists of packets of the content, unchanged, so a stored segment before or after it continues the audio
 * without a gap. Throws PreparationFault where stored files are missing or damaged.
 */
export async function makeCut(work: PreparationWork, cut: Cut): Promise<StoredRendition[]> {
  const { ctx, folder, run } = work;
  const source = await cutSource(work, cut);
  const audio = await fetchSegments(work, cut, source);
  await cutAudio(work, audio);
  const { encoderPreset: preset, maximumPixels } = ctx.config.media;
  const settings = { preset, maximumPixels, threads: ctx.config.worker.mediaThreads };
  const { firstFrame, endFrame } = cut;
  const command = cutCommand(folder, source, { firstFrame, endFrame, firstPacket: audio.packets.first }, settings);
  await ctx.media.runner.convert(command, run);
  const { frameRate } = source.grid;
  return storeCut(work, source, { frameRate, firstFrame, endFrame, packets: audio.packets });
}

/** Takes the packets of the cut out of those of the segments. */
async function cutAudio({ ctx, folder, run }: PreparationWork, { path, stored, packets }: CutAudio): Promise<void> {
  await ctx.media.runner.convert(audioCommand(folder, path), run);
  const all = join(folder, 'audio.aac');
  const offsets = await packetOffsets(all, [packets.first - stored.first, packets.end - stored.first]);
  const [start = 0, end = 0] = offsets;
  if (end <= start) throw new PreparationFault('the cut is shorter than an audio packet');
  await pipeline(createReadStream(all, { start, end: end - 1 }), createWriteStream(join(folder, 'cut.aac')));
}

async function storeCut(
  { ctx, folder, storageFolder, run }: PreparationWork,
  { renditions }: CutSource,
  expected: ExpectedSegment,
): Promise<StoredRendition[]> {
  const uploads = createUploads(ctx, run.signal);
  try {
    const stored: StoredRendition[] = [];
    for (const { name } of renditions) {
      const [init, segment] = [join(folder, name, 'init.mp4'), join(folder, name, 'cut0.m4s')];
      // Nothing is divided, so its audio was not given to the muxer early.
      await correctSegment(segment, readMp4Tracks(await readFile(init)));
      await checkSegment(init, segment, expected);
      const rendition: StoredRendition = { name, map: `${name}.mp4`, files: [`${name}.m4s`] };
      void uploads.addBuffer(stripBitrateHints(await readFile(init)), `${storageFolder}/${rendition.map}`, 'video/mp4');
      void uploads.add(segment, `${storageFolder}/${rendition.files[0]}`, 'video/mp4');
      stored.push(rendition);
    }
    await uploads.done();
    return stored;
  } finally {
    await uploads.ended();
  }
}
