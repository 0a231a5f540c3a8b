import { randomUUID } from 'node:crypto';
import type { Context } from '../platform/context.js';
import type { Transaction } from '../platform/database/database.js';
import { UnavailableError } from '../platform/errors.js';
import { UploadReservation } from './license.model.js';
import { planInForce, planInForceNow } from './plan.queries.js';
import { fileTooLarge, formOverheadBytes, quotaErrorOf } from './quotaError.js';
import { ensureQuota, usageOf } from './usage.service.js';

/** Lifetime of a reservation that is not extended; its staged file is then deleted. */
export const reservationMilliseconds = 60 * 60_000;

/**
 * SQL: the conditions of every update that reserves bytes: storage is free, and the file does not exceed the plan's
 * maximum size.
 */
const storageAllowed = `
  q.original_bytes + q.rendition_bytes + q.thumbnail_bytes + q.reserved_bytes + $bytes::bigint <= p.storage_gigabytes::bigint << 30`;
const fileSizeAllowed = (bytes: string) => `${bytes} - $overhead::bigint <= p.max_video_gigabytes::bigint << 30`;

/**
 * Reserves quota for an upload of `bytes` before it begins. If the length is unknown, `bytes` is 0 and
 * `growReservation` adds bytes. One conditional update decides, so that concurrent uploads cannot exceed a limit
 * together. In a transaction, it locks the user's quota until the end. Throws QuotaExceededError.
 */
export async function reserveUpload(
  ctx: Context,
  userId: string,
  bytes: number,
  id: string = randomUUID(),
  tx?: Transaction,
): Promise<{ readonly id: string }> {
  await ensureQuota(ctx, userId, tx);
  const reserved = await ctx.db.change(
    `WITH taken AS (
       UPDATE quotas q SET reserved_bytes = q.reserved_bytes + $bytes::bigint, reserved_uploads = q.reserved_uploads + 1
       FROM license_plans p
       WHERE q.user_id = $userId AND p.id = ${planInForce} AND ${storageAllowed} AND ${fileSizeAllowed('$bytes::bigint')}
         AND (p.max_upload_number = 0 OR q.uploads + q.reserved_uploads < p.max_upload_number)
       RETURNING q.user_id
     )
     INSERT INTO upload_reservations (id, user_id, bytes, created_at, expires_at)
     SELECT $id, user_id, $bytes::bigint, $now, $expiresAt FROM taken`,
    { id, userId, bytes, overhead: formOverheadBytes, ...lifetimeFrom(ctx), ...planInForceNow(ctx) },
    tx,
  );
  if (reserved === 0) throw quotaErrorOf(await usageOf(ctx, userId, tx), bytes, 1);
  return { id };
}

/** The reserved bytes. Throws UnavailableError if the reservation has expired. */
export async function reservedBytesOf(ctx: Context, id: string): Promise<number> {
  const row = await ctx.db.model(UploadReservation).findOne({ where: { id, abandoned: false }, attributes: ['bytes'] });
  if (!row) throw reservationLost(id);
  return row.bytes;
}

/**
 * Adds `bytes` to a reservation, which is then valid for `lifetimeMilliseconds` from now. Throws QuotaExceededError;
 * UnavailableError if the reservation has expired.
 */
export async function growReservation(
  ctx: Context,
  id: string,
  bytes: number,
  lifetimeMilliseconds = reservationMilliseconds,
): Promise<void> {
  const grown = await ctx.db.change(
    `WITH reservation AS (
       SELECT id, user_id, bytes FROM upload_reservations WHERE id = $id AND NOT abandoned FOR UPDATE
     ), taken AS (
       UPDATE quotas q SET reserved_bytes = q.reserved_bytes + $bytes::bigint
       FROM license_plans p, reservation
       WHERE q.user_id = reservation.user_id AND p.id = ${planInForce} AND ${storageAllowed} AND ${fileSizeAllowed('reservation.bytes + $bytes::bigint')}
       RETURNING reservation.id
     )
     UPDATE upload_reservations r SET bytes = r.bytes + $bytes::bigint, expires_at = $expiresAt
     FROM taken WHERE r.id = taken.id`,
    {
      ...{ id, bytes, overhead: formOverheadBytes, ...planInForceNow(ctx) },
      expiresAt: lifetimeFrom(ctx, lifetimeMilliseconds).expiresAt,
    },
  );
  if (grown > 0) return;
  const row = await ctx.db.model(UploadReservation).findOne({ where: { id, abandoned: false } });
  if (!row) throw reservationLost(id);
  throw quotaErrorOf(await usageOf(ctx, row.userId), bytes, 0, row.bytes + bytes);
}

/**
 * Extends the reservation of a running upload, so that it is valid for `lifetimeMilliseconds` from now. Throws
 * UnavailableError if it has expired.
 */
export async function extendReservation(
  ctx: Context,
  id: string,
  lifetimeMilliseconds = reservationMilliseconds,
  tx?: Transaction,
): Promise<void> {
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeMilliseconds);
  const extended = await ctx.db
    .model(UploadReservation)
    .update({ expiresAt }, { where: { id, abandoned: false }, transaction: tx });
  if (extended === 0) throw reservationLost(id);
}

/**
 * Converts a reservation to stored bytes, in the transaction that creates the item. Throws QuotaExceededError if the
 * file is larger than the plan permits, UnavailableError if the reservation has expired.
 */
export async function commitReservation(ctx: Context, tx: Transaction, id: string, actualBytes: number): Promise<void> {
  const [committed] = await ctx.db.rows<{ userId: string; limitBytes: number }>(
    `WITH committed AS (
       DELETE FROM upload_reservations WHERE id = $id AND NOT abandoned AND bytes >= $bytes::bigint RETURNING user_id, bytes
     )
     UPDATE quotas q
     SET reserved_bytes = q.reserved_bytes - committed.bytes, reserved_uploads = q.reserved_uploads - 1,
         original_bytes = q.original_bytes + $bytes::bigint, uploads = q.uploads + 1
     FROM committed, license_plans p
     WHERE q.user_id = committed.user_id AND p.id = ${planInForce}
     RETURNING q.user_id, p.max_video_gigabytes::bigint << 30 AS limit_bytes`,
    { id, bytes: actualBytes, ...planInForceNow(ctx) },
    tx,
  );
  if (!committed) throw reservationLost(id);
  if (actualBytes > committed.limitBytes) throw fileTooLarge(committed.limitBytes);
}

/** Deletes a reservation and releases its quota. No effect if it is already committed or deleted. */
export async function cancelReservation(ctx: Context, id: string): Promise<void> {
  await ctx.db.change(
    `WITH cancelled AS (DELETE FROM upload_reservations WHERE id = $id RETURNING user_id, bytes)
     UPDATE quotas q SET reserved_bytes = q.reserved_bytes - cancelled.bytes, reserved_uploads = q.reserved_uploads - 1
     FROM cancelled WHERE q.user_id = cancelled.user_id`,
    { id },
  );
}

/** Marks a reservation so that it can no longer be committed. False: it is already committed or deleted. */
export async function abandonReservation(ctx: Context, id: string): Promise<boolean> {
  return (await ctx.db.model(UploadReservation).update({ abandoned: true }, { where: { id } })) > 0;
}

/**
 * Marks expired reservations, at most `limit` after the id `after`, and resolves with their ids in order. A marked
 * reservation can no longer be committed, so that its staged file may be deleted; `cancelReservation` then releases the
 * quota.
 */
export async function abandonExpired(ctx: Context, limit: number, after?: string): Promise<string[]> {
  const rows = await ctx.db.rows<{ id: string }>(
    `UPDATE upload_reservations SET abandoned = true
     WHERE id IN (SELECT id FROM upload_reservations WHERE expires_at < $now AND id > coalesce($after::text::uuid, '00000000-0000-0000-0000-000000000000')
                   ORDER BY id LIMIT $limit::int FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    { now: ctx.clock.now(), limit, after: after ?? null },
  );
  return rows.map(({ id }) => id).toSorted();
}

function lifetimeFrom(ctx: Context, milliseconds = reservationMilliseconds): { now: Date; expiresAt: Date } {
  const now = ctx.clock.now();
  return { now, expiresAt: new Date(now.getTime() + milliseconds) };
}

function reservationLost(id: string): UnavailableError {
  return new UnavailableError({ key: 'license.reservationLost', detail: `reservation ${id} has expired` });
}
