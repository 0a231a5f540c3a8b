import Joi from 'joi';
import { variable, type Settings } from '../platform/settings.js';

const { integer } = variable;

/** Limits of all plans. */
export interface LicenseConfig {
  /**
   * Percent of the media minutes of a plan from which on uploads are refused. Between 100 and this, contents are processed
   * after those of all others.
   */
  readonly mediaMinutesRefusedPercent: number;
  /** Chunks of one user that may wait for processing; above it, uploads are refused. */
  readonly maximumWaitingChunks: number;
}

declare module '../platform/config.js' {
  interface Config {
    readonly license: LicenseConfig;
  }
}

export const licenseSettings: Settings<{ license: LicenseConfig }> = {
  variables: Joi.object({
    MEDIA_MINUTES_REFUSED_PERCENT: integer.min(100).default(200),
    MAXIMUM_WAITING_CHUNKS: integer.min(1).default(10_000),
  }),
  configOf: (env) => ({
    license: {
      mediaMinutesRefusedPercent: env['MEDIA_MINUTES_REFUSED_PERCENT'],
      maximumWaitingChunks: env['MAXIMUM_WAITING_CHUNKS'],
    },
  }),
};
