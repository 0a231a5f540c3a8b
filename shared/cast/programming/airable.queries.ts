import type { ContentState } from '../../content/content.model.js';
import { missingColumns, missingOf, type MissingRow } from '../../content/quality.queries.js';
import type { UnreadyContent } from '../../content/unreadyContent.js';
import { acquiredLicensesOf } from '../../marketplace/acquiredLicense.queries.js';
import { mayPublish } from '../../marketplace/licenseConditions.js';
import type { Context } from '../../platform/context.js';
import type { Transaction } from '../../platform/database/database.js';

/** A box item that programs may play. */
export interface AirableContent {
  readonly boxItemId: string;
  readonly contentId: string;
  /** The generation that channels play. */
  readonly generation: number;
  readonly durationMs: number;
  /** End of the license under which the user holds the item. Null: it never ends. */
  readonly expiresAt: Date | null;
  /** The descriptive fields are defaults of a program. */
  readonly title: string;
  readonly description: string | null;
  readonly tags: readonly string[];
  /** The owner's choice, or else the content's thumbnail. */
  readonly thumbnailId: string | null;
}

/** Message key of the reason why a box item may not be aired. */
export type AirFailure =
  | 'cast.contentUnknown'
  | 'cast.contentNotReady'
  | 'cast.renditionsMissing'
  | 'cast.licenseForbids'
  | 'cast.licenseEnds';

/** A box item that may not be aired. */
export interface UnairableContent {
  readonly failure: AirFailure;
  /** Progress of the missing renditions, in percent. Null: none is being encoded. */
  readonly preparing: number | null;
  /** The state of a content that is not ready, and the reason of its failure. */
  readonly content?: UnreadyContent;
}

/** A box item that may be aired, or the reason why it may not. */
export type AirState = AirableContent | UnairableContent;

interface ItemRow extends Omit<AirableContent, 'generation' | 'durationMs'>, MissingRow {
  readonly source: string;
  readonly state: ContentState;
  readonly failureKey: string | null;
  readonly readyGeneration: number | null;
  readonly durationMs: number | null;
}

/**
 * The air states of box items for a user, by item id. An item must belong to the user and be READY, and the license of an
 * acquired item must permit free publication: a licensor who earns from each view would earn nothing
 * (`docs/contract.md#choices-cast`). `mayAirUntil` checks the end of the license.
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
            coalesce(box.thumbnail_id, c.thumbnail_id) AS thumbnail_id,
            c.id AS content_id, c.state, c.failure_key, c.ready_generation, c.duration_ms, ${missingColumns}
       FROM box_items box JOIN contents c ON c.id = box.content_id
      WHERE box.id = ANY ($ids::uuid[]) AND box.owner_id = $ownerId`,
    { ids, ownerId },
    tx,
  );
  const acquired = rows.filter(({ source }) => source === 'MARKET_PLACE').map(({ boxItemId }) => boxItemId);
  const licenses = await acquiredLicensesOf(ctx, acquired, tx);
  const states = new Map<string, AirState>(ids.map((id) => [id, unairable('cast.contentUnknown')]));
  for (const row of rows) {
    const license = licenses.get(row.boxItemId);
    const isForbidden = license !== undefined && mayPublish(license, 'FREE') !== undefined;
    states.set(row.boxItemId, isForbidden ? unairable('cast.licenseForbids') : stateOf(row));
  }
  return states;
}

/** Playout needs all renditions, which share one segment grid. */
function stateOf(row: ItemRow): AirState {
  const { state, failureKey, readyGeneration, durationMs, isIncomplete } = row;
  if (state !== 'READY' || readyGeneration === null || durationMs === null)
    return { ...unairable('cast.contentNotReady'), content: { state, failureKey } };
  if (isIncomplete) return unairable('cast.renditionsMissing', missingOf(row).preparing);
  const { boxItemId, contentId, expiresAt, title, description, tags, thumbnailId } = row;
  const item = { boxItemId, contentId, expiresAt, title, description, tags, thumbnailId };
  return { ...item, generation: readyGeneration, durationMs };
}

function unairable(failure: AirFailure, preparing: number | null = null): UnairableContent {
  return { failure, preparing };
}

export function isUnairable(state: AirState): state is UnairableContent {
  return 'failure' in state;
}

/** The box items that a user may air, by item id. */
export async function airableContents(
  ctx: Context,
  items: { readonly ownerId: string; readonly boxItemIds: readonly string[] },
  tx?: Transaction,
): Promise<Map<string, AirableContent>> {
  const states = await airStates(ctx, items, tx);
  return new Map([...states].flatMap(([id, state]) => (isUnairable(state) ? [] : [[id, state] as const])));
}

/** Whether the license of a content lasts until the end of a program. */
export function mayAirUntil({ expiresAt }: Pick<AirableContent, 'expiresAt'>, endsAt: Date): boolean {
  return expiresAt === null || expiresAt >= endsAt;
}
