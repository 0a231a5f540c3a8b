import { join } from 'node:path';
import { audioSampleRate } from '../../shared/media/audioPackets.js';
import { changingToStereo } from './channelMix.js';
import { fileAddress, openingOptions, sniffingBounds } from './demuxers.js';
import type { ProbedSource } from './probedSource.js';
import { isMediaFailure, type MediaRun, type MediaRunner } from './runner.js';

/** Added to all timestamps, because decoding times precede the first presentation time and must not be negative. */
const leadSeconds = 10;
/** The stream ids of every converted section. */
const videoId = 256;
const audioId = 257;

export interface EvenSectionSource {
  readonly path: string;
  readonly description: ProbedSource;
  /** Approximate duration. */
  readonly seconds: number;
  /** Total duration of the previous sections. */
  readonly atSeconds: number;
  readonly threads: number;
}

/** A local file, and the start of the next section: after the last frame and audio packet. */
export interface EvenSection {
  readonly path: string;
  readonly endSeconds: number;
}

/**
 * Converts a section of a recording so that it can be appended to others: a transport stream with unchanged video, and audio in the
 * same format in all sections, silent if the section has no decodable audio.
 */
export async function findEvenSection(
  runner: MediaRunner,
  folder: string,
  source: EvenSectionSource,
  run: MediaRun,
): Promise<EvenSection> {
  try {
    return await write(runner, folder, source, run);
  } catch (error) {
    const { description } = source;
    if (!isMediaFailure(error) || !description.video || !description.audio) throw error;
    return write(runner, folder, { ...source, description: { ...description, audio: null } }, run);
  }
}

async function write(
  runner: MediaRunner,
  folder: string,
  source: EvenSectionSource,
  run: MediaRun,
): Promise<EvenSection> {
  const { video, audio, demuxer } = source.description;
  const threads = source.threads > 0 ? ['-threads', String(source.threads)] : [];
  const silence = {
    path: `anullsrc=r=${audioSampleRate}:cl=stereo`,
    options: ['-f', 'lavfi', '-t', source.seconds.toFixed(6)],
  };
  const options = [
    ...(video ? ['-map', `0:${video.index}`, '-c:v', 'copy', '-streamid', `0:${videoId}`] : []),
    ...['-map', '[audio]', '-c:a', 'mp2', '-b:a', '384k', '-streamid', `${video ? 1 : 0}:${audioId}`],
    ...['-map_metadata', '-1', '-output_ts_offset', (leadSeconds + source.atSeconds).toFixed(6)],
    ...['-muxdelay', '0', '-muxpreload', '0', '-mpegts_flags', '+initial_discontinuity', '-f', 'mpegts'],
  ];
  const name = 'section.ts';
  const mix = changingToStereo(audio ?? undefined);
  const genuine = {
    path: fileAddress(source.path),
    options: ['-fflags', '+genpts', ...threads, ...sniffingBounds, ...openingOptions(demuxer)],
  };
  await runner.convert(
    {
      folder,
      inputs: audio ? [genuine] : [genuine, silence],
      filter: `[${audio ? `0:${audio.index}` : '1:0'}]${mix.join(',')},aresample=${audioSampleRate}:async=1,aformat=channel_layouts=stereo[audio]`,
      outputs: [{ path: name, options }],
    },
    run,
  );
  const path = join(folder, name);
  return { path, endSeconds: (await endOf(runner, path, run)) - leadSeconds };
}

async function endOf(runner: MediaRunner, path: string, run: MediaRun): Promise<number> {
  let end = 0;
  const options = [...openingOptions('mpegts'), '-show_entries', 'packet=pts_time,duration_time', '-of', 'csv=p=0'];
  await runner.inspect([...options, fileAddress(path)], {
    ...run,
    onLine(line) {
      const [shown, duration] = line.split(',').map(Number);
      end = Math.max(end, (shown || 0) + (duration || 0));
    },
  });
  return end;
}
