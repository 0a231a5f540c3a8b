import { concurrency } from '../../shared/platform/concurrency.js';
import type { ArrivingUpload } from '../../shared/upload/upload.model.js';
import { isNextUnresumable } from '../../shared/upload/importQueue.service.js';
import type { Context } from '../../shared/platform/context.js';

/** Imports that cannot be continued, at once in a process: half of its worker slots, and more than one user may have. All others always have the other half. */
const maxUnresumable = 6;
const name = 'unresumable import';

/** The import cannot be continued, and all slots for such imports are taken, or others come first. */
export class NoSlotError extends Error {
  override readonly name = 'NoSlotError';
}

/** Takes a slot for an import that keeps it to its end; the returned function releases it. Throws NoSlotError. */
export async function enterUnresumable(ctx: Context, upload: Pick<ArrivingUpload, 'id'>): Promise<() => void> {
  const isNext = await isNextUnresumable(ctx, upload.id);
  if (!isNext || concurrency(ctx).count(name) >= maxUnresumable)
    throw new NoSlotError('all slots for imports that cannot be continued are taken');
  return concurrency(ctx).enter(name, maxUnresumable);
}
