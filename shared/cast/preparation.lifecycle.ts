import { randomBytes } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { lease, leaseSeconds } from '../platform/lease/index.js';
import type { RowOf } from '../platform/database/model.js';
import { CastCut, CastSlate, type StoredRendition } from './cast.model.js';

/*
 * All transitions of a requested cut or slate: WAITING, while encoded under a worker's lease, then READY or FAILED. Each is a
 * conditional update; no changed row means that the lease was lost.
 */

const tables = { cut: 'cast_cuts', slate: 'cast_slates' } as const;
/** Order of encoding: slates by their first showing, cuts by the end of their program. */
const urgency = { cut: 'needed_until', slate: 'shows_from' } as const;

export type PreparedKind = keyof typeof tables;

interface Prepared {
  readonly cut: RowOf<typeof CastCut>;
  readonly slate: RowOf<typeof CastSlate>;
}

/** A row under the lease of this worker. No other attempt writes to its folder. */
export interface Claimed<Kind extends PreparedKind> {
  readonly kind: Kind;
  readonly row: Prepared[Kind] & { readonly leaseOwner: string };
  /** Folder of the previous attempt, whose worker may have died. */
  readonly abandonedFolder: string;
}

/** The stored files of a cut or slate. */
export interface PreparedFiles {
  readonly renditions: readonly StoredRendition[];
  /** For a cut whose content has audio in separate files. */
  readonly audio?: readonly StoredRendition[];
}

/** Storage key of the folder of a cut or slate. */
export function preparedFolder({ folder }: { readonly folder: string }): string {
  return `cast/${folder}`;
}

/** The folder name of an attempt: the id of the row and 128 random bits. */
export function newPreparedFolder(id: string): string {
  return `${id}-${randomBytes(16).toString('hex')}`;
}

/** Takes the lease of the most urgent waiting row. Null: no row waits, or other workers hold the leases. */
export async function claimNext<Kind extends PreparedKind>(
  ctx: Context,
  kind: Kind,
  leaseOwner: string,
): Promise<Claimed<Kind> | null> {
  const table = tables[kind];
  const [found] = await ctx.db.rows<Claimed<Kind>['row'] & { abandonedFolder: string }>(
    `WITH next AS (
       SELECT id, folder AS abandoned_folder FROM ${table}
        WHERE state = 'WAITING' AND needed_until > $now AND ${lease.free}
        ORDER BY ${urgency[kind]} LIMIT 1 FOR UPDATE SKIP LOCKED)
     UPDATE ${table} SET attempt = attempt + 1, ${lease.taken},
            folder = ${table}.id || '-' || $random
       FROM next WHERE ${table}.id = next.id
     RETURNING ${table}.*, next.abandoned_folder`,
    {
      leaseOwner,
      random: randomBytes(16).toString('hex'),
      leaseSeconds: leaseSeconds(ctx),
      now: ctx.clock.now(),
    },
  );
  if (!found) return null;
  return { kind, row: found, abandonedFolder: found.abandonedFolder };
}

/** Returns false if the lease has been lost, or the row is no longer waiting. */
export async function renewPreparation(ctx: Context, claimed: Claimed<PreparedKind>): Promise<boolean> {
  const changed = await change(ctx, claimed, lease.renewed, { leaseSeconds: leaseSeconds(ctx) });
  return changed > 0;
}

/**
 * WAITING to READY. Returns false if the lease has been lost: the stored files are then unused. Clears the reference of a
 * slate to its thumbnail, so that the thumbnail can be deleted.
 */
export async function completePreparation(
  ctx: Context,
  claimed: Claimed<PreparedKind>,
  { renditions, audio }: PreparedFiles,
): Promise<boolean> {
  const changed = await change(
    ctx,
    claimed,
    `state = 'READY', renditions = $renditions::jsonb, failure_detail = NULL, ${lease.released}` +
      (claimed.kind === 'slate' ? ', thumbnail_id = NULL' : ', audio = $audio::jsonb'),
    { renditions: JSON.stringify(renditions), audio: audio ? JSON.stringify(audio) : null },
  );
  return changed > 0;
}

/** WAITING to FAILED: another attempt would fail in the same way. The channel plays without it. */
export async function failPreparation(ctx: Context, claimed: Claimed<PreparedKind>, detail: string): Promise<void> {
  await change(ctx, claimed, `state = 'FAILED', failure_detail = $detail, ${lease.released}`, { detail });
}

/** Releases the lease of a failed attempt, so that the next attempt can start at once. `returned`: the attempt does not count. */
export async function releasePreparation(
  ctx: Context,
  claimed: Claimed<PreparedKind>,
  { detail, returned }: { readonly detail: string; readonly returned: boolean },
): Promise<void> {
  const assignments = `failure_detail = $detail, returns = returns + $returned::boolean::integer, ${lease.released}`;
  await change(ctx, claimed, assignments, { detail, returned });
}

/** Whether this cut or slate still has to be encoded, by its lease owner or, after the lease has expired, by another worker. */
export async function isPreparationWaiting(ctx: Context, id: string): Promise<boolean> {
  const waiting = `id = $id AND state = 'WAITING' AND needed_until > $now`;
  const rows = await ctx.db.rows(
    `SELECT 1 FROM cast_cuts WHERE ${waiting} UNION ALL SELECT 1 FROM cast_slates WHERE ${waiting}`,
    { id, now: ctx.clock.now() },
  );
  return rows.length > 0;
}

/** Whether this attempt's folder is the stored result: the response to `completePreparation` may have been lost. */
export async function isResult(ctx: Context, { kind, row }: Claimed<PreparedKind>): Promise<boolean> {
  const { id, folder } = row;
  const where = { id, folder, state: 'READY' } as const;
  const counted = kind === 'cut' ? ctx.db.model(CastCut).count({ where }) : ctx.db.model(CastSlate).count({ where });
  return (await counted) > 0;
}

function change(
  ctx: Context,
  { kind, row: { id, leaseOwner } }: Claimed<PreparedKind>,
  assignments: string,
  binds: Readonly<Record<string, unknown>>,
): Promise<number> {
  return ctx.db.change(
    `UPDATE ${tables[kind]} SET ${assignments} WHERE id = $id AND ${lease.held} AND state = 'WAITING'`,
    { id, leaseOwner, ...binds },
  );
}
