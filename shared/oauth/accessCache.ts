import type { Context } from '../platform/context.js';
import type { Database } from '../platform/database/database.js';

/** Who an access token stands for. */
export interface Access {
  readonly clientId: string;
  /** Null for a public token. */
  readonly userId: string | null;
  readonly userCode: string | null;
  readonly expiresAt: Date;
}

/**
 * Tokens just seen, for this long: a revocation by this process is felt at once, one by another process
 * after this at the latest.
 */
const memoryMs = 2000;
const maximumTokens = 10_000;

interface Remembered {
  readonly access: Access;
  readonly until: number;
}

const memories = new WeakMap<Database, Map<string, Remembered>>();

/** What is remembered belongs to the database it was read from. */
function memoryOf(ctx: Context): Map<string, Remembered> {
  const memory = memories.get(ctx.db) ?? new Map<string, Remembered>();
  memories.set(ctx.db, memory);
  return memory;
}

export function rememberedAccess(ctx: Context, hash: Buffer): Access | undefined {
  const remembered = memoryOf(ctx).get(hash.toString('base64'));
  return remembered && remembered.until > ctx.clock.now().getTime() ? remembered.access : undefined;
}

export function rememberAccess(ctx: Context, hash: Buffer, access: Access): void {
  const memory = memoryOf(ctx);
  if (memory.size >= maximumTokens) memory.clear();
  memory.set(hash.toString('base64'), { access, until: ctx.clock.now().getTime() + memoryMs });
}

/** To be called once the revocation is committed. */
export function forgetUser(ctx: Context, userId: string): void {
  const memory = memoryOf(ctx);
  for (const [key, { access }] of memory) if (access.userId === userId) memory.delete(key);
}
