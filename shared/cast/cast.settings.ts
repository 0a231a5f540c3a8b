import Joi from 'joi';
import { settingGroup, variable, type Settings } from '../platform/settingVariables.js';

const { integer } = variable;

/** Settings of cast channels. */
export interface CastConfig {
  /** Programs that air within this time from now can no longer be edited. */
  readonly freezeSeconds: number;
  /** Height of the highest rendition of a channel, in pixels. */
  readonly maxHeight: number;
}

declare module '../platform/config.js' {
  interface Config {
    readonly cast: CastConfig;
  }
}

export const castSettings: Settings<{ cast: CastConfig }> = {
  variables: Joi.object(
    settingGroup('Cast channels', {
      CAST_FREEZE_SECONDS: integer
        .min(4)
        .max(3600)
        .default(120)
        .description('programs that air within this time can no longer be edited'),
      CAST_MAX_HEIGHT: integer
        .valid(240, 360, 480, 720, 1080)
        .default(1080)
        .description('height of the highest rendition of a channel, in pixels'),
    }),
  ),
  configOf: (env) => ({
    cast: {
      freezeSeconds: env['CAST_FREEZE_SECONDS'],
      maxHeight: env['CAST_MAX_HEIGHT'],
    },
  }),
};
