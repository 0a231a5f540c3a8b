import type { Config } from '../platform/config.js';

/** What the player page plays, as its query names it. */
export type EmbedKind = 'vod' | 'live' | 'event' | 'cast';

/** The full address of the player page of an item: `docs/contract.md#other-operations`. */
export function embedUrl({ service }: Config, kind: EmbedKind, id: string): string {
  return `${service.publicUrl}/embed/?${kind}=${encodeURIComponent(id)}`;
}
