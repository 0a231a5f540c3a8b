import type { Context } from '../platform/context.js';
import { deleteInBatches } from '../platform/database/deleteInBatches.js';

/**
 * Time after its activation mail when an account that was not activated is deleted, which frees its user code and e-mail. The link
 * is valid for 24 hours.
 */
const unactivatedMs = 48 * 3_600_000;
/** The same time after the registration if no mail was sent: the mail's job was lost with its queue. */
const unmailedMs = 7 * 24 * 3_600_000;

/** Deletes expired mail tokens and accounts that were never activated. Resolves with the number of deleted rows. */
export async function sweepAccounts(ctx: Context, signal: AbortSignal): Promise<number> {
  const now = ctx.clock.now();
  const mailTokens = await deleteInBatches(
    ctx,
    'DELETE FROM mail_tokens WHERE token_hash IN (SELECT token_hash FROM mail_tokens WHERE expires_at < $now LIMIT $batchRows)',
    { now },
    signal,
  );
  // The state is compared again in the outer statement: an activation may have committed after the inner one read.
  const accounts = await deleteInBatches(
    ctx,
    `DELETE FROM users WHERE state = 'PENDING'
        AND id IN (SELECT id FROM users
                    WHERE state = 'PENDING' AND created_at < $before
                      AND (activation_mailed_at < $before OR created_at < $unmailedBefore) LIMIT $batchRows)`,
    {
      before: new Date(now.getTime() - unactivatedMs),
      unmailedBefore: new Date(now.getTime() - unmailedMs),
    },
    signal,
  );
  return mailTokens + accounts;
}
