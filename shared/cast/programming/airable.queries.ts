import { acquiredLicensesOf } from '../../marketplace/acquiredLicense.queries.js';
import { mayPublish } from '../../marketplace/conditions.js';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';

/** A box item as far as a program may play it. */
export interface AirableContent {
  readonly boxItemId: string;
  readonly contentId: string;
  /** The generation that plays. */
  readonly generation: number;
  readonly durationMs: number;
  /** When the license ends that the item is held by. Null: never. */
  readonly expiresAt: Date | null;
  /** For a program that says nothing else. */
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** Chosen by the owner, or else the content's. */
  readonly thumbnailId: string | null;
}

/** Message key of the reason why a box item may not be aired. */
export type AirFailure =
  | 'cast.contentUnknown'
  | 'cast.contentNotReady'
  | 'cast.renditionsMissing'
  | 'cast.licenseForbids'
  | 'cast.licenseEnds';

/** A box item: what may be aired of it, or why nothing. */
export type AirState = AirableContent | AirFailure;

interface ItemRow extends Omit<AirableContent, 'generation' | 'durationMs'> {
  readonly source: string;
  readonly state: string;
  readonly readyGeneration: number | null;
  readonly durationMs: number | null;
  /** Whether its segments are on a grid that all renditions share; playout needs it. */
  readonly hasGrid: boolean;
}

/**
 * What a user may air of these box items, by their ids. An item must be the user's own and READY, and a license that it is
 * held by must permit free publication: a licensor who earns from each view would earn nothing
 * (`docs/contract.md#choices-cast`). Whether the license lasts long enough: `mayAirUntil`.
 */
export async function airStates(
  ctx: Context,
  { ownerId, boxItemIds }: { readonly ownerId: string; readonly boxItemIds: readonly string[] },
  tx?: Transaction,
): Promise<Map<string, AirState>> {
  const ids = [...new Set(boxItemIds)];
  if (ids.length === 0) return new Map();
  const rows = await ctx.db.rows<ItemRow>(
    `SELECT box.id AS box_item_id, box.source, box.title, box.description, box.tags, box.expires_at,
            coalesce(box.thumbnail_id, content.thumbnail_id) AS thumbnail_id,
            content.id AS content_id, content.state, content.ready_generation, content.duration_ms, content.ready_grid IS NOT NULL AS has_grid
       FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE box.id = ANY ($ids::uuid[]) AND box.owner_id = $ownerId`,
    { ids, ownerId },
    tx,
  );
  const acquired = rows.filter(({ source }) => source === 'MARKET_PLACE').map(({ boxItemId }) => boxItemId);
  const licenses = await acquiredLicensesOf(ctx, acquired, tx);
  const states = new Map<string, AirState>(ids.map((id) => [id, 'cast.contentUnknown']));
  for (const row of rows) {
    const license = licenses.get(row.boxItemId);
    const isForbidden = license !== undefined && mayPublish(license, 'FREE') !== undefined;
    states.set(row.boxItemId, isForbidden ? 'cast.licenseForbids' : stateOf(row));
  }
  return states;
}

function stateOf({ source: _source, state, readyGeneration, durationMs, hasGrid, ...item }: ItemRow): AirState {
  if (state !== 'READY' || readyGeneration === null || durationMs === null) return 'cast.contentNotReady';
  if (!hasGrid) return 'cast.renditionsMissing';
  return { ...item, generation: readyGeneration, durationMs };
}

/** The box items that a user may air, by their ids. */
export async function airableContents(
  ctx: Context,
  items: { readonly ownerId: string; readonly boxItemIds: readonly string[] },
  tx?: Transaction,
): Promise<Map<string, AirableContent>> {
  const states = await airStates(ctx, items, tx);
  return new Map([...states].flatMap(([id, state]) => (typeof state === 'string' ? [] : [[id, state] as const])));
}

/** Whether a program that ends at a moment may play a content: its license does not end before. */
export function mayAirUntil({ expiresAt }: Pick<AirableContent, 'expiresAt'>, endsAt: Date): boolean {
  return expiresAt === null || expiresAt >= endsAt;
}
