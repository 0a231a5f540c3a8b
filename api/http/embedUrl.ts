import Joi from 'joi';
import type { Config } from '../../shared/platform/config.js';

/** What the player page plays, as its query names it. */
export type EmbedKind = 'vod' | 'live' | 'event' | 'cast';

/** The full address of the player page of an item: `docs/contract.md#other-operations`. */
export function embedUrl({ service }: Config, kind: EmbedKind, id: string): string {
  return `${service.publicUrl}/embed/?${kind}=${encodeURIComponent(id)}`;
}

/** Response member with such an address. */
export const embedUrlMember = Joi.string()
  .required()
  .description('Address of the player page, for a browser or a frame')
  .example('https://video.example.org/embed/?vod=8c3f0e52-1f0b-4d5e-9a57-2a6d3f1f3c11');
