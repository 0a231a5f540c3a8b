import Joi from 'joi';
import type { SigningKey } from '../platform/security/signing.js';
import { withoutTrailing } from '../platform/formats/trailing.js';
import { settingGroup, variable, type Settings } from '../platform/settingVariables.js';

const { text, secret, webAddress } = variable;

/** Delivery of media to viewers. */
export interface PlaybackConfig {
  /** Signing keys of playback URLs. The first key signs, all keys verify, so that keys can be rotated. */
  readonly keys: readonly SigningKey[];
  /**
   * The sender of segments: this process, nginx (X-Accel-Redirect), the object store or a CDN (redirect), or an edge that checks
   * addresses and caches responses.
   */
  readonly delivery: 'direct' | 'accel' | 'redirect' | 'edge';
  readonly accelPrefix: string;
  /** Base address of a CDN in front of the storage, for `redirect`; null: presigned addresses. */
  readonly cdnUrl: string | null;
  /** The CDN's usage is reported from its log, so the playlists of films contain CDN addresses. */
  readonly cdnReportsUsage: boolean;
  readonly edge: EdgeConfig;
}

/** For `edge`. */
export interface EdgeConfig {
  /** Base address of the edge; null: the service's own. */
  readonly url: string | null;
  /** Signing keys of edge addresses, which the edge knows too. The first key signs, as in `keys`. */
  readonly keys: readonly SigningKey[];
  /** Secret in the edge's requests: the edge reports their bytes, and the service does not count them. Null: the service counts. */
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
    'string.pattern.base': '{#label} must be id:secret[,id:secret], each secret with at least 16 characters',
    'any.invalid': '{#label} contains an id twice',
  })
  .custom((pairs: string, { error }) => (hasDoubledIds(pairs) ? error('any.invalid') : pairs));

export const playbackSettings: Settings<{ playback: PlaybackConfig }> = {
  variables: Joi.object({
    ...settingGroup('Credentials', {
      PLAYBACK_KEYS: signingKeys
        .required()
        .tag('must')
        .description(
          'keys that sign playback addresses, `id:secret[,id:secret]`: the first key signs, all keys verify',
        ),
    }),
    ...settingGroup('Playback', {
      PLAYBACK_DELIVERY: text
        .valid('direct', 'accel', 'redirect', 'edge')
        .default('direct')
        .tag('choose')
        .description(
          'sender of segments: `direct` the web process, `accel` nginx with `X-Accel-Redirect`, `redirect` the object store or a CDN, `edge` an nginx that caches and also sends playlists',
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
      EDGE_URL: webAddress.description('for `edge`: base address of the edge. Default: the address of the service'),
      EDGE_KEYS: signingKeys
        .when('PLAYBACK_DELIVERY', { is: 'edge', then: Joi.required() })
        .description(
          'required for `edge`: keys that sign edge addresses, `id:secret[,id:secret]`. The edge needs the same keys',
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

/** Ids must be unique, because a grant names its signing key by id. */
function hasDoubledIds(pairs: string): boolean {
  const ids = keysOf(pairs).map(({ id }) => id);
  return new Set(ids).size < ids.length;
}
