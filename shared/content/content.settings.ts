import Joi from 'joi';
import { settingGroup, variable, type Settings } from '../platform/settingVariables.js';

const { text, integer } = variable;

/** The programs that process media, and the limits of accepted media. */
export interface MediaConfig {
  readonly ffmpegPath: string;
  readonly ffprobePath: string;
  /** Duration of one chunk, which one job transcodes. */
  readonly chunkSeconds: number;
  readonly maxDurationSeconds: number;
  /** Pixels of one frame. */
  readonly maxPixels: number;
  readonly encoderPreset: string;
  /** New contents start with a quick generation (`docs/decisions/uploads.md#quick`). */
  readonly quickGeneration: boolean;
}

declare module '../platform/config.js' {
  interface Config {
    readonly media: MediaConfig;
  }
}

export const contentSettings: Settings<{ media: MediaConfig }> = {
  variables: Joi.object(
    settingGroup('Media', {
      FFMPEG_PATH: text.default('ffmpeg').description('ffmpeg 4.4 or later, with libx264 and aac'),
      FFPROBE_PATH: text.default('ffprobe').description('ffprobe of the same version'),
      CHUNK_SECONDS: integer.min(4).multiple(4).default(24).description('media duration of one transcoding job'),
      MAXIMUM_DURATION_SECONDS: integer
        .min(1)
        .default(12 * 3600)
        .description('maximum duration of an accepted file'),
      MAXIMUM_PIXELS: integer
        .min(1)
        .default(8192 * 4320)
        .description('maximum frame size of an accepted file; the default is 8192 x 4320'),
      ENCODER_PRESET: text
        .valid('ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium', 'slow', 'slower')
        .default('veryfast')
        .description('x264 preset'),
      QUICK_GENERATION: Joi.boolean()
        .default(true)
        .description('a new video is first processed to one rendition, so that it plays soon, then to all renditions'),
    }),
  ),
  configOf: (env) => ({
    media: {
      ffmpegPath: env['FFMPEG_PATH'],
      ffprobePath: env['FFPROBE_PATH'],
      chunkSeconds: env['CHUNK_SECONDS'],
      maxDurationSeconds: env['MAXIMUM_DURATION_SECONDS'],
      maxPixels: env['MAXIMUM_PIXELS'],
      encoderPreset: env['ENCODER_PRESET'],
      quickGeneration: env['QUICK_GENERATION'],
    },
  }),
};
