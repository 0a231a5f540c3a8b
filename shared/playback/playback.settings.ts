import Joi from 'joi';
import type { SigningKey } from '../platform/security/signing.js';
import { withoutTrailing } from '../platform/formats/trailing.js';
import { settingGroup, variable, type Settings } from '../platform/settingVariables.js';

const { text, secret, webAddress } = variable;

/** How video is delivered. */
export interface PlaybackConfig {
  /** Keys that sign playback URLs. The first one signs, all verify, so that keys can be rotated. */
  readonly keys: readonly SigningKey[];
  /**
   * Who sends the bytes: this process, nginx (X-Accel-Redirect), the object store or a CDN (redirect), or an edge that checks
   * addresses and keeps what it has sent.
   */
  readonly delivery: 'direct' | 'accel' | 'redirect' | 'edge';
  readonly accelPrefix: string;
  /** Base address of a CDN in front of the store, for `redirect`; null: presigned addresses. */
  readonly cdnUrl: string | null;
  /** What the CDN sends is reported from its log, so the playlists of films name its addresses. */
  readonly cdnReportsUsage: boolean;
  readonly edge: EdgeConfig;
}

/** For `edge`. */
export interface EdgeConfig {
  /** Base address of the edge; null: that of the service. */
  readonly url: string | null;
  /** Keys that sign its addresses. The edge has them too. As `keys`, the first one signs. */
  readonly keys: readonly SigningKey[];
  /** Sent by the edge with its requests: what it reports is not counted here. Null: everything is counted here. */
  readonly secret: string | null;
}

declare module '../platform/config.js' {
  interface Config {
    readonly playback: PlaybackConfig;
  }
}

const signingKeys = text
  .pattern(/^[A-Za-z0-9]+:[^,\s]{16,}(,[A-Za-z0-9]+:[^,\s]{16,})*$/)
  .messages({
    'string.pattern.base': '{#label} must be id:secret[,id:secret], each secret of 16 characters or more',
    'any.invalid': '{#label} names an id twice',
  })
  .custom((pairs: string, { error }) => (hasDoubledIds(pairs) ? error('any.invalid') : pairs));

export const playbackSettings: Settings<{ playback: PlaybackConfig }> = {
  variables: Joi.object({
    ...settingGroup('Credentials', {
      PLAYBACK_KEYS: signingKeys
        .required()
        .tag('must')
        .description('keys that sign playback addresses, `id:secret[,id:secret]`: the first one signs, all verify'),
    }),
    ...settingGroup('Playback', {
      PLAYBACK_DELIVERY: text
        .valid('direct', 'accel', 'redirect', 'edge')
        .default('direct')
        .tag('choose')
        .description(
          'what sends the segments: `direct` the web process, `accel` nginx with `X-Accel-Redirect`, `redirect` the object store or a CDN, `edge` an nginx that caches and also sends playlists',
        ),
      ACCEL_PREFIX: text.default('/protected/').description('for `accel`: the internal location of nginx'),
      CDN_URL: webAddress
        .tag('choose')
        .description('for `redirect`: base address of a CDN. Default: presigned addresses of S3'),
      CDN_REPORTS_USAGE: Joi.boolean()
        .default(false)
        .description(
          'usage of the CDN is reported from its log ([how](decisions/playback.md#cdn)): playlists of films name the CDN’s addresses, and the service does not count their bytes',
        ),
      EDGE_URL: webAddress.description('for `edge`: base address of the edge. Default: that of the service'),
      EDGE_KEYS: signingKeys
        .when('PLAYBACK_DELIVERY', { is: 'edge', then: Joi.required() })
        .description(
          'for `edge`, required there: keys that sign its addresses, `id:secret[,id:secret]`. The edge has them too',
        ),
      EDGE_SECRET: secret.description(
        'header `X-Edge-Secret` of the edge’s requests. With it the edge reports its usage, and the service does not count these bytes',
      ),
    }),
  }),
  configOf: (env) => ({
    playback: {
      keys: keysOf(env['PLAYBACK_KEYS']),
      delivery: env['PLAYBACK_DELIVERY'],
      accelPrefix: env['ACCEL_PREFIX'],
      cdnUrl: env['CDN_URL'] === undefined ? null : withoutTrailing(env['CDN_URL'], '/'),
      cdnReportsUsage: env['CDN_REPORTS_USAGE'],
      edge: {
        url: env['EDGE_URL'] === undefined ? null : withoutTrailing(env['EDGE_URL'], '/'),
        keys: env['EDGE_KEYS'] === undefined ? [] : keysOf(env['EDGE_KEYS']),
        secret: env['EDGE_SECRET'] ?? null,
      },
    },
  }),
};

function keysOf(pairs: string): readonly SigningKey[] {
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
