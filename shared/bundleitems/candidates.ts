import { acquiredLicensesOf, mayPublish } from '../marketplace/conditions.js';
import type { Content } from '../content/content.model.js';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError, ValidationError, type FieldError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';

/** A box item of the owner's that is to be put into a bundle. */
interface Candidate {
  readonly id: string;
  readonly state: Content['state'];
  readonly expiresAt: Date | null;
}

/** Of these ids, the box items of this owner, kept from being deleted for the rest of the transaction. */
export async function lockCandidates(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  boxIds: readonly string[],
): Promise<Map<string, Candidate>> {
  const rows = await ctx.db.rows<Candidate>(
    `SELECT box.id, content.state, box.expires_at
       FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE box.id = ANY ($ids::uuid[]) AND box.owner_id = $ownerId
      ORDER BY box.id FOR KEY SHARE OF box`,
    { ids: boxIds.filter(isUuid), ownerId },
    tx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** What keeps one box item out of a bundle. */
interface Refusal extends FieldError {
  readonly boxId: string;
  /** `unknown` and `state` have a status of their own where nothing else is wrong; `rule` has not. */
  readonly kind: 'unknown' | 'state' | 'rule';
}

/** As many as an answer tells of field by field. */
const mostNamed = 100;

type Reason = Pick<Refusal, 'kind' | 'key'>;

/**
 * What keeps box items out of a bundle: one entry for each that may not be in it, in the order of `boxIds`. Those in
 * `present` are in it already, and stay whatever has become of them.
 */
export async function refusalsOf(
  ctx: Context,
  tx: Transaction,
  boxIds: readonly string[],
  candidates: ReadonlyMap<string, Candidate>,
  present: ReadonlySet<string>,
): Promise<Refusal[]> {
  const licenses = await acquiredLicensesOf(ctx, [...candidates.keys()], tx);
  const now = ctx.clock.now();
  const reasonOf = (boxId: string, index: number): Reason | undefined => {
    if (boxIds.indexOf(boxId) < index) return { kind: 'rule', key: 'bundle.boxItemTwice' };
    if (present.has(boxId)) return undefined;
    const candidate = candidates.get(boxId);
    if (!candidate) return { kind: 'unknown', key: 'bundle.boxItemUnknown' };
    if (candidate.state !== 'READY') return { kind: 'state', key: 'bundle.boxItemNotReady' };
    if (candidate.expiresAt !== null && candidate.expiresAt <= now)
      return { kind: 'state', key: 'bundle.boxItemExpired' };
    const license = licenses.get(boxId);
    const forbidden = license && mayPublish(license, 'CONTENT_BUNDLE');
    return forbidden === undefined ? undefined : { kind: 'rule', key: forbidden };
  };
  return boxIds.flatMap((boxId, index) => {
    const reason = reasonOf(boxId, index);
    if (!reason) return [];
    const code = reason.key.slice(reason.key.lastIndexOf('.') + 1);
    return [{ ...reason, boxId, code, field: `sourceItems[${index}].boxId`, rejectedValue: boxId }];
  });
}

/**
 * Throws what is wrong, naming every bad item: NotFoundError where all of it is unknown, and ConflictError where all of
 * it may pass or come back (not READY, expired), as publishing such an item alone does; else ValidationError.
 */
export function assertNoRefusals(range: readonly FieldError[], refusals: readonly Refusal[]): void {
  if (range.length + refusals.length === 0) return;
  const kinds = new Set(range.length > 0 ? ['rule'] : refusals.map(({ kind }) => kind));
  const values = {
    boxIds: refusals
      .slice(0, mostNamed)
      .map(({ boxId }) => boxId)
      .join(', '),
  };
  if (kinds.size === 1 && kinds.has('unknown')) throw new NotFoundError({ key: 'bundle.boxItemsUnknown', values });
  if (kinds.size === 1 && kinds.has('state')) throw new ConflictError({ key: 'bundle.boxItemsNotReady', values });
  throw new ValidationError([...range, ...refusals]);
}
