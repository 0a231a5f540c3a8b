import type { Context } from '../platform/context.js';
import { decryptText } from '../platform/security/encryption.js';
import type { User } from './user.model.js';

/** The live password in plain text; the column is encrypted. */
export function livePasswordOf(ctx: Context, user: User): string | undefined {
  return user.livePassword ? decryptText(ctx.config.encryptionKey, user.id, user.livePassword) : undefined;
}
