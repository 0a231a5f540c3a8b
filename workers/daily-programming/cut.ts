import { createReadStream, createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { StoredRendition } from '../../shared/cast/cast.model.js';
import type { PreparedFiles } from '../../shared/cast/preparation.lifecycle.js';
import { audioTracksOf } from '../../shared/content/audioTracks.service.js';
import { audioIn, segmentFilesOf } from '../../shared/content/segmentFiles.js';
import { packetOffsets } from '../../shared/media/aac/index.js';
import { readMp4Tracks, stripBitrateHints, correctSegment } from '../../shared/media/mp4/index.js';
import { createUploads, type Uploads } from '../runtime/uploads.js';
import { audioCommand, cutCommand } from './cutCommand.js';
import { cutSource, fetchAudio, fetchVideo, type Cut, type CutAudio, type CutSource } from './cutSource.js';
import { cutTrack } from './cutTrack.js';
import { PreparationFault, type PreparationWork } from './preparationWork.js';
import { checkSegment, type ExpectedSegment } from './airedSegmentCheck.js';

/**
 * Encodes the frames of a cut as one segment in each rendition and audio track, from the content's stored segments. The cut is
 * frame-exact. Its audio packets are copied from the content, so the audio continues without a gap in a stored segment before or
 * after it. Throws PreparationFault if stored files are missing or damaged.
 */
export async function makeCut(work: PreparationWork, cut: Cut): Promise<PreparedFiles> {
  const { ctx, folder, run } = work;
  const source = await cutSource(work, cut);
  const files = await segmentFilesOf(ctx, cut);
  if (!files) throw new PreparationFault('the content is not stored');
  await fetchVideo(work, files, source);
  const audio = await fetchAudio(work, files, cut, source);
  const chosen = audioIn(files, await audioTracksOf(ctx, cut.contentId));
  const main = audio.find(({ name }) => name === chosen?.name) ?? audio[0];
  if (!main) throw new PreparationFault('the content has no audio');
  await writePackets(work, main);
  const { encoderPreset: preset, maxPixels } = ctx.config.media;
  const settings = { preset, maxPixels, threads: ctx.config.worker.mediaThreads };
  const { firstFrame, endFrame } = cut;
  const command = cutCommand(folder, source, { firstFrame, endFrame, firstPacket: main.packets.first }, settings);
  await ctx.media.runner.convert(command, run);
  const { frameRate } = source.grid;
  const expected = { frameRate, firstFrame, endFrame, packets: main.packets };
  return storeCut(work, source, expected, files.audio.length > 0 ? audio : []);
}

/** Writes the audio packets of the cut, extracted from those of its segments, to `cut.aac` for ffmpeg. */
async function writePackets({ ctx, folder, run }: PreparationWork, { path, stored, packets }: CutAudio): Promise<void> {
  await ctx.media.runner.convert(audioCommand(folder, path), run);
  const all = join(folder, 'audio.aac');
  const offsets = await packetOffsets(all, [packets.first - stored.first, packets.end - stored.first]);
  const [start = 0, end = 0] = offsets;
  if (end <= start) throw new PreparationFault('the cut is shorter than an audio packet');
  await pipeline(createReadStream(all, { start, end: end - 1 }), createWriteStream(join(folder, 'cut.aac')));
}

async function storeCut(
  work: PreparationWork,
  { renditions }: CutSource,
  expected: ExpectedSegment,
  audio: readonly CutAudio[],
): Promise<PreparedFiles> {
  const uploads = createUploads(work.ctx, work.run.signal);
  try {
    const stored: StoredRendition[] = [];
    for (const { name } of renditions) stored.push(await storeRendition(work, uploads, name, expected));
    const tracks: StoredRendition[] = [];
    for (const track of audio) {
      const { init, segment } = await cutTrack(work, track, expected);
      tracks.push(storeSegment(work, uploads, track.name, init, segment));
    }
    await uploads.done();
    return { renditions: stored, ...(tracks.length > 0 ? { audio: tracks } : {}) };
  } finally {
    await uploads.ended();
  }
}

async function storeRendition(
  work: PreparationWork,
  uploads: Uploads,
  name: string,
  expected: ExpectedSegment,
): Promise<StoredRendition> {
  const [init, segment] = [join(work.folder, name, 'init.mp4'), join(work.folder, name, 'cut0.m4s')];
  // The muxer wrote one segment, so its audio was not passed to the muxer early.
  await correctSegment(segment, readMp4Tracks(await readFile(init)));
  await checkSegment(init, segment, expected);
  return storeSegment(work, uploads, name, stripBitrateHints(await readFile(init)), segment);
}

/** `segment`: path of the file. */
function storeSegment(
  { storageFolder }: PreparationWork,
  uploads: Uploads,
  name: string,
  init: Buffer,
  segment: string,
): StoredRendition {
  const stored = { name, map: `${name}.mp4`, files: [`${name}.m4s`] as const };
  void uploads.addBuffer(init, `${storageFolder}/${stored.map}`, 'video/mp4');
  void uploads.add(segment, `${storageFolder}/${stored.files[0]}`, 'video/mp4');
  return stored;
}
