import { readFile, writeFile } from 'node:fs/promises';
import { samplesPerPacket } from '../../shared/media/audioPackets.js';
import {
  needBox,
  singleTrackFragment,
  readMp4Tracks,
  ownTimes,
  storedFragmentsIn,
} from '../../shared/media/mp4/index.js';
import type { CutAudio } from './cutSource.js';
import type { PreparationWork } from './preparationWork.js';
import { checkSegment, type ExpectedSegment } from './airedSegmentCheck.js';

/**
 * Writes the audio packets of a cut in one track to a segment of its own, with the timestamps of the content. Resolves with its
 * initialisation segment, and the path of the segment. Throws PreparationFault, DamagedMediaError.
 */
export async function cutTrack(
  { folder }: PreparationWork,
  { name, path, packets }: CutAudio,
  { frameRate, firstFrame, endFrame }: ExpectedSegment,
): Promise<{ readonly init: Buffer; readonly segment: string }> {
  const file = await readFile(path);
  const init = file.subarray(0, needBox(file, file, 'moov').end);
  const samples = ownTimes(storedFragmentsIn(file), readMp4Tracks(init), 'audio').filter(
    ({ decodeTime }) => decodeTime >= packets.first * samplesPerPacket && decodeTime < packets.end * samplesPerPacket,
  );
  const segment = `${folder}/${name}.m4s`;
  await writeFile(segment, singleTrackFragment('audio', file, samples));
  await checkSegment(path, segment, { frameRate, firstFrame, endFrame, packets });
  return { init, segment };
}
