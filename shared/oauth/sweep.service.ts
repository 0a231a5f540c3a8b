import type { Context } from '../platform/context.js';

/** Rows of one statement: short locks, whatever has piled up. */
const batchRows = 5000;
/** Access tokens are kept this long after their end, so that their callers are told that they expired. */
const keptAfterExpiryMs = 86_400_000;
/** An account that nobody has activated gives its user code and address back; its link worked for 24 h. */
const unactivatedMs = 48 * 3_600_000;

/** Removes what has expired, in batches. Resolves with how many rows went. */
export async function sweepExpired(ctx: Context, signal: AbortSignal): Promise<number> {
  const now = ctx.clock.now();
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds);
  const statements: readonly (readonly [string, Date])[] = [
    [
      'DELETE FROM access_tokens WHERE token_hash IN (SELECT token_hash FROM access_tokens WHERE expires_at < $limit LIMIT $batchRows)',
      before(keptAfterExpiryMs),
    ],
    [
      'DELETE FROM refresh_tokens WHERE token_hash IN (SELECT token_hash FROM refresh_tokens WHERE expires_at < $limit LIMIT $batchRows)',
      before(keptAfterExpiryMs),
    ],
    [
      'DELETE FROM token_families WHERE id IN (SELECT id FROM token_families WHERE expires_at < $limit LIMIT $batchRows)',
      before(keptAfterExpiryMs),
    ],
    [
      'DELETE FROM mail_tokens WHERE token_hash IN (SELECT token_hash FROM mail_tokens WHERE expires_at < $limit LIMIT $batchRows)',
      now,
    ],
    [
      'DELETE FROM login_failures WHERE subject IN (SELECT subject FROM login_failures WHERE window_ends_at < $limit LIMIT $batchRows)',
      now,
    ],
    [
      "DELETE FROM users WHERE id IN (SELECT id FROM users WHERE state = 'PENDING' AND created_at < $limit LIMIT $batchRows) AND state = 'PENDING'",
      before(unactivatedMs),
    ],
  ];
  let removed = 0;
  for (const [statement, limit] of statements) {
    let rows = batchRows;
    while (rows === batchRows && !signal.aborted) {
      rows = await ctx.db.change(statement, { limit, batchRows });
      removed += rows;
    }
  }
  return removed;
}
