import Joi from 'joi';
import { variable, type Settings } from '../platform/settings.js';

const { text, webAddress } = variable;

/** How video is delivered. */
export interface PlaybackConfig {
  /** Keys that sign playback URLs. The first one signs, all verify, so that keys can be rotated. */
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
  /** Who sends the bytes: this process, nginx (X-Accel-Redirect), or the object store or a CDN (redirect). */
  readonly delivery: 'direct' | 'accel' | 'redirect';
  readonly accelPrefix: string;
  /** Base address of a CDN in front of the store, for `redirect`; null: presigned addresses. */
  readonly cdnUrl: string | null;
}

declare module '../platform/config.js' {
  interface Config {
    readonly playback: PlaybackConfig;
  }
}

export const playbackSettings: Settings<{ playback: PlaybackConfig }> = {
  variables: Joi.object({
    PLAYBACK_KEYS: text
      .pattern(/^[A-Za-z0-9]+:[^,\s]{16,}(,[A-Za-z0-9]+:[^,\s]{16,})*$/)
      .required()
      .messages({
        'string.pattern.base': 'PLAYBACK_KEYS must be id:secret[,id:secret], each secret of 16 characters or more',
        'any.invalid': 'PLAYBACK_KEYS names an id twice',
      })
      .custom((pairs: string, { error }) => (hasDoubledIds(pairs) ? error('any.invalid') : pairs)),
    PLAYBACK_DELIVERY: text.valid('direct', 'accel', 'redirect').default('direct'),
    ACCEL_PREFIX: text.default('/protected/'),
    CDN_URL: webAddress,
  }),
  configOf: (env) => ({
    playback: {
      keys: keysOf(env['PLAYBACK_KEYS']),
      delivery: env['PLAYBACK_DELIVERY'],
      accelPrefix: env['ACCEL_PREFIX'],
      cdnUrl: env['CDN_URL'] ?? null,
    },
  }),
};

function keysOf(pairs: string): PlaybackConfig['keys'] {
  return pairs.split(',').map((pair) => {
    const colon = pair.indexOf(':');
    return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
  });
}

/** A grant names the key that signed it by its id. */
function hasDoubledIds(pairs: string): boolean {
  const ids = keysOf(pairs).map(({ id }) => id);
  return new Set(ids).size < ids.length;
}
