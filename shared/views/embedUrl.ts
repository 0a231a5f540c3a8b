import type { Config } from '../platform/config.js';

/** The query parameter that names the item of the player page. */
export type EmbedKind = 'vod' | 'live' | 'event' | 'cast';

/** The full address of the player page of an item: `docs/contract.md#other-operations`. */
export function embedUrl({ service }: Config, kind: EmbedKind, id: string): string {
  return `${service.publicUrl}/embed/?${kind}=${encodeURIComponent(id)}`;
}
