import { randomBytes } from 'node:crypto';
import type { Context } from '../platform/context.js';
import { lease, leaseSeconds } from '../platform/lease/index.js';
import type { RowOf } from '../platform/database/model.js';
import { CastCut, CastSlate, type StoredRendition } from './cast.model.js';

/*
 * Every transition of a cut or slate after it was wanted: WAITING, under a lease of the worker that makes it, then READY or
 * FAILED. Each is a conditional update; no changed row means that the lease was lost.
 */

/** In which order they are made: slates when they are shown first, cuts by the end of their program. */
const tables = { cut: 'cast_cuts', slate: 'cast_slates' } as const;
const urgency = { cut: 'needed_until', slate: 'shows_from' } as const;

export type PreparedKind = keyof typeof tables;

interface Prepared {
  readonly cut: RowOf<typeof CastCut>;
  readonly slate: RowOf<typeof CastSlate>;
}

/** A row under the lease of this worker. Its folder is a new one, which no other attempt writes to. */
export interface Claimed<Kind extends PreparedKind> {
  readonly kind: Kind;
  readonly row: Prepared[Kind] & { readonly leaseOwner: string };
  /** Folder of the attempt before, whose worker may have died. */
  readonly abandonedFolder: string;
}

/** What is stored of a cut or slate. */
export interface PreparedFiles {
  readonly renditions: readonly StoredRendition[];
  /** Of a cut whose content has audio in files of its own. */
  readonly audio?: readonly StoredRendition[];
}

/** Storage key of the folder of a cut or slate. */
export function preparedFolder({ folder }: { readonly folder: string }): string {
  return `cast/${folder}`;
}

/** The name of the folder of an attempt: it begins with the id of the row, and ends with 128 random bits. */
export function newPreparedFolder(id: string): string {
  return `${id}-${randomBytes(16).toString('hex')}`;
}

/** Takes the lease of the most urgent one that waits. Null: none does, or other workers make them. */
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

/** False where the lease has been lost, or nothing needs the row any more. */
export async function renewPreparation(ctx: Context, claimed: Claimed<PreparedKind>): Promise<boolean> {
  const changed = await change(ctx, claimed, lease.renewed, { leaseSeconds: leaseSeconds(ctx) });
  return changed > 0;
}

/**
 * WAITING to READY. False where the lease has been lost: what was stored is then not used. A slate no longer needs its
 * thumbnail then, so the thumbnail can be deleted.
 */
export async function completePreparation(
  ctx: Context,
  claimed: Claimed<PreparedKind>,
  { renditions, audio }: PreparedFiles,
): Promise<boolean> {
  const changed = await change(
    ctx,
    claimed,
    `state = 'READY', renditions = $renditions::jsonb, failure_detail = NULL, ${lease.returned}` +
      (claimed.kind === 'slate' ? ', thumbnail_id = NULL' : ', audio = $audio::jsonb'),
    { renditions: JSON.stringify(renditions), audio: audio ? JSON.stringify(audio) : null },
  );
  return changed > 0;
}

/** WAITING to FAILED: a further attempt would fail in the same way. The playout does without it. */
export async function failPreparation(ctx: Context, claimed: Claimed<PreparedKind>, detail: string): Promise<void> {
  await change(ctx, claimed, `state = 'FAILED', failure_detail = $detail, ${lease.returned}`, { detail });
}

/** Ends the lease of a failed attempt, so that the next one need not wait for it. `returned`: the attempt does not count. */
export async function releasePreparation(
  ctx: Context,
  claimed: Claimed<PreparedKind>,
  { detail, returned }: { readonly detail: string; readonly returned: boolean },
): Promise<void> {
  const assignments = `failure_detail = $detail, returns = returns + $returned::boolean::integer, ${lease.returned}`;
  await change(ctx, claimed, assignments, { detail, returned });
}

/** Whether this cut or slate is still to be made: by the worker that holds its lease, or by the next one if that lease has ended. */
export async function isPreparationWaiting(ctx: Context, id: string): Promise<boolean> {
  const waiting = `id = $id AND state = 'WAITING' AND needed_until > $now`;
  const rows = await ctx.db.rows(
    `SELECT 1 FROM cast_cuts WHERE ${waiting} UNION ALL SELECT 1 FROM cast_slates WHERE ${waiting}`,
    { id, now: ctx.clock.now() },
  );
  return rows.length > 0;
}

/** Whether the folder of this attempt is the result: the response to `completePreparation` may have been lost. */
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
