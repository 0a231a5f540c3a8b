import { join } from 'node:path';
import { fileAddress, openingOptions } from './demuxers.js';
import { isMediaFailure, type MediaRun, type MediaRunner } from './runner.js';

/**
 * Copies a video stream, without encoding, into a container with a reliable index. Null if the stream cannot be copied:
 * timestamps are missing, or the container does not support the codec.
 */
export async function copyIntoSeekable(
  runner: MediaRunner,
  folder: string,
  source: { readonly path: string; readonly demuxer: string; readonly stream: number },
  run: MediaRun,
): Promise<string | null> {
  const name = 'seekable.mkv';
  try {
    await runner.convert(
      {
        folder,
        inputs: [
          {
            path: fileAddress(source.path),
            options: ['-copyts', '-fflags', '+genpts', ...openingOptions(source.demuxer)],
          },
        ],
        outputs: [
          {
            path: name,
            options: [
              '-map',
              `0:${source.stream}`,
              '-c',
              'copy',
              '-map_metadata',
              '-1',
              '-avoid_negative_ts',
              'disabled',
              '-f',
              'matroska',
            ],
          },
        ],
      },
      run,
    );
    return join(folder, name);
  } catch (error) {
    if (isMediaFailure(error)) return null;
    throw error;
  }
}
