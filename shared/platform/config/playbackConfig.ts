/** How what is played goes out. */
export interface PlaybackConfig {
  /** Signing keys by id; the first signs, all verify (rotation). */
  readonly keys: readonly { readonly id: string; readonly secret: string }[];
  /** Who sends the bytes: this process, nginx by X-Accel-Redirect, or the object store or CDN by redirect. */
  readonly delivery: 'direct' | 'accel' | 'redirect';
  readonly accelPrefix: string;
  /** Base address of a CDN in front of the store, for `redirect`; null: presigned addresses. */
  readonly cdnUrl: string | null;
}

/** The part of the settings that speaks of playback; they have been validated. */
// oxlint-disable-next-line typescript/no-explicit-any -- as `readConfig` has them, validated against the schema
export function playbackOf(env: Readonly<Record<string, any>>): PlaybackConfig {
  return {
    keys: String(env['PLAYBACK_KEYS'])
      .split(',')
      .map((pair) => {
        const colon = pair.indexOf(':');
        return { id: pair.slice(0, colon), secret: pair.slice(colon + 1) };
      }),
    delivery: env['PLAYBACK_DELIVERY'],
    accelPrefix: env['ACCEL_PREFIX'],
    cdnUrl: env['CDN_URL'] ?? null,
  };
}
