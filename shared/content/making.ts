import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { Content } from './content.model.js';

/*
 * Who works on the generation in the making, and how it ends. Every step is a conditional update: zero rows means that
 * someone else was faster, or that nobody wants the generation any more, and the caller stops quietly (principle 4 of docs/architecture.md).
 */

/** A content or chunk that has been begun this often takes its workers down with it. */
export const mostAttempts = 12;

/** Condition on a row of `contents`: its newest generation is neither ready nor given up. */
export const processing = `state <> 'DELETED' AND generation > greatest(coalesce(ready_generation, 0), coalesce(failed_generation, 0))`;

/** A worker that shows no sign of life until then has lost its work to the next one; as long as the lock of its job. */
export function leaseEnd(ctx: Context): Date {
  return new Date(ctx.clock.now().getTime() + ctx.config.worker.lockSeconds * 1000);
}

/** What a worker finds when it asks for work: its own lease, another's that lives until then, or nothing left to do. */
export type Claim<Work> =
  | { readonly outcome: 'mine'; readonly work: Work }
  | { readonly outcome: 'taken'; readonly until: Date }
  | { readonly outcome: 'nothing' };

/** Takes the lease for ingesting the generation in the making. */
export async function claimIngestion(ctx: Context, contentId: string, owner: string): Promise<Claim<Content>> {
  const changed = await ctx.db.change(
    `UPDATE contents SET lease_owner = $owner, lease_until = $until, attempt = attempt + 1, updated_at = $now
      WHERE id = $contentId AND plan IS NULL AND ${processing} AND (lease_until IS NULL OR lease_until < $now)`,
    { contentId, owner, until: leaseEnd(ctx), now: ctx.clock.now() },
  );
  const content = await ctx.db.model(Content).findByPk(contentId);
  if (changed > 0 && content?.leaseOwner === owner) return { outcome: 'mine', work: content };
  const waiting = content && content.plan === null && content.state === 'PENDING' && content.leaseUntil;
  return waiting ? { outcome: 'taken', until: content.leaseUntil as Date } : { outcome: 'nothing' };
}

/** False where the lease has been lost. */
export async function renewIngestion(ctx: Context, contentId: string, owner: string): Promise<boolean> {
  const changed = await ctx.db.change(
    `UPDATE contents SET lease_until = $until WHERE id = $contentId AND lease_owner = $owner AND ${processing}`,
    { contentId, owner, until: leaseEnd(ctx) },
  );
  return changed > 0;
}

/** Gives the lease back with the work undone, so that the next attempt need not wait for its end. */
export async function releaseIngestion(
  ctx: Context,
  contentId: string,
  owner: string,
  detail: string | null,
): Promise<void> {
  await ctx.db.change(
    `UPDATE contents SET lease_owner = NULL, lease_until = NULL, failure_detail = $detail, updated_at = $now
      WHERE id = $contentId AND lease_owner = $owner AND plan IS NULL`,
    { contentId, owner, detail, now: ctx.clock.now() },
  );
}

/** Gives a generation up, once. Resolves with the content where this call has done it, with null where there is nothing to give up. */
export async function giveUp(
  ctx: Context,
  tx: Transaction,
  contentId: string,
  generation: number,
  failure: { readonly key: string; readonly detail: string },
): Promise<Content | null> {
  const changed = await ctx.db.change(
    `UPDATE contents
        SET failed_generation = generation, state = CASE WHEN state = 'PENDING' THEN 'FAILED' ELSE state END,
            failure_key = $key, failure_detail = $detail, lease_owner = NULL, lease_until = NULL, updated_at = $now
      WHERE id = $contentId AND generation = $generation AND ${processing}`,
    { contentId, generation, key: failure.key, detail: failure.detail, now: ctx.clock.now() },
    tx,
  );
  if (changed === 0) return null;
  await ctx.search.markDirty(tx, 'content', contentId);
  return ctx.db.model(Content).findByPk(contentId, { transaction: tx });
}
