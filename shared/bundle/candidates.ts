import { unreadyMessage, type UnreadyContent } from '../content/unreadyContent.js';
import { acquiredLicensesOf } from '../marketplace/acquiredLicense.queries.js';
import { mayPublish } from '../marketplace/licenseConditions.js';
import type { Context } from '../platform/context.js';
import { ownRows, type Transaction } from '../platform/database/database.js';
import { ConflictError, NotFoundError, ValidationError, type FieldError } from '../platform/errors.js';
import { isUuid } from '../platform/formats/format.js';

/** An owner's box item to be inserted into a bundle. */
interface Candidate extends UnreadyContent {
  readonly id: string;
  readonly expiresAt: Date | null;
}

/** Locks the box items with these ids that belong to this owner against deletion until the transaction ends. */
export async function lockCandidates(
  ctx: Context,
  tx: Transaction,
  ownerId: string,
  boxIds: readonly string[],
): Promise<Map<string, Candidate>> {
  const rows = await ctx.db.rows<Candidate>(
    `SELECT box.id, content.state, content.failure_key, box.expires_at
       FROM box_items box JOIN contents content ON content.id = box.content_id
      WHERE ${ownRows('box')}
      ORDER BY box.id FOR KEY SHARE OF box`,
    { ids: boxIds.filter(isUuid), ownerId },
    tx,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

interface Insertion {
  /** In the order of the request. */
  readonly boxIds: readonly string[];
  readonly candidates: ReadonlyMap<string, Candidate>;
  /** Box items that are already in the bundle: they may stay in any state. */
  readonly present: ReadonlySet<string>;
}

/** The reason why a box item cannot be inserted. */
interface InsertionError extends FieldError {
  readonly boxId: string;
  /** If all errors are `unknown` the status is 404, if all are `state` it is 409, otherwise 400. */
  readonly kind: 'unknown' | 'state' | 'rule';
}

type Reason = Pick<InsertionError, 'kind' | 'key' | 'values'> & Partial<Pick<InsertionError, 'code'>>;

/** Maximum number of ids in the text of a 404 or 409; a 400 lists the errors by field. */
const maxNamed = 100;

/**
 * Checks that all box items can be inserted; `rangeErrors` are the errors of the index. The error names every rejected
 * item. Throws NotFoundError if all rejected items are unknown; ConflictError if all are not READY or have expired, the
 * same as publishing such an item; otherwise ValidationError.
 */
export async function assertInsertable(
  ctx: Context,
  tx: Transaction,
  insertion: Insertion,
  rangeErrors: readonly FieldError[],
): Promise<void> {
  const errors = await insertionErrors(ctx, tx, insertion);
  if (rangeErrors.length + errors.length === 0) return;
  const kinds = new Set(rangeErrors.length > 0 ? ['rule'] : errors.map(({ kind }) => kind));
  const named = errors.slice(0, maxNamed).map(({ boxId }) => boxId);
  const values = { boxIds: named.join(', ') };
  if (kinds.size === 1 && kinds.has('unknown')) throw new NotFoundError({ key: 'bundle.boxItemsUnknown', values });
  if (kinds.size === 1 && kinds.has('state')) throw notReady(errors.slice(0, maxNamed), values);
  throw new ValidationError([...rangeErrors, ...errors]);
}

/** The error names all items, with the reason for each failed content. */
function notReady(errors: readonly InsertionError[], values: { readonly boxIds: string }): ConflictError {
  const reasons = errors.flatMap(({ boxId, values: { reason } = {} }) =>
    reason === undefined ? [] : [{ key: 'bundle.failedBecause', values: { boxId, reason } }],
  );
  if (reasons.length === 0) return new ConflictError({ key: 'bundle.boxItemsNotReady', values });
  return new ConflictError({ key: 'bundle.boxItemsFailed', values: { ...values, reasons } });
}

/** One error for each box item that cannot be inserted, in the order of the request. */
async function insertionErrors(
  ctx: Context,
  tx: Transaction,
  { boxIds, candidates, present }: Insertion,
): Promise<InsertionError[]> {
  const licenses = await acquiredLicensesOf(ctx, [...candidates.keys()], tx);
  const now = ctx.clock.now();
  const reasonOf = (boxId: string, index: number): Reason | undefined => {
    if (boxIds.indexOf(boxId) < index) return { kind: 'rule', key: 'bundle.boxItemTwice' };
    if (present.has(boxId)) return undefined;
    const candidate = candidates.get(boxId);
    if (!candidate) return { kind: 'unknown', key: 'bundle.boxItemUnknown' };
    if (candidate.state !== 'READY') {
      const keys = { notReady: 'bundle.boxItemNotReady', failed: 'bundle.boxItemFailed' };
      return { kind: 'state', code: 'boxItemNotReady', ...unreadyMessage(candidate, keys) };
    }
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
    return [{ code, ...reason, boxId, field: `sourceItems[${index}].boxId`, rejectedValue: boxId }];
  });
}
