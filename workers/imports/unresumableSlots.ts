import { concurrency } from '../../shared/platform/concurrency.js';
import type { ArrivingUpload } from '../../shared/upload/upload.model.js';
import { isNextUnresumable } from '../../shared/upload/importQueue.service.js';
import type { Context } from '../../shared/platform/context.js';

/**
 * Maximum of concurrent imports in a process that cannot be continued: half of its worker slots, and more than one user may have.
 * The other slots stay free for other imports.
 */
const maxUnresumable = 6;
const name = 'unresumable import';

/** All slots for imports that cannot be continued are taken, or other imports come first. */
export class NoSlotError extends Error {
  override readonly name = 'NoSlotError';
}

/** Takes a slot until the import ends; the returned function releases it. Throws NoSlotError. */
export async function enterUnresumable(ctx: Context, upload: Pick<ArrivingUpload, 'id'>): Promise<() => void> {
  const isNext = await isNextUnresumable(ctx, upload.id);
  if (!isNext || concurrency(ctx).count(name) >= maxUnresumable)
    throw new NoSlotError('all slots for imports that cannot be continued are taken');
  return concurrency(ctx).enter(name, maxUnresumable);
}
