import type { Context } from '../../shared/platform/context.js';
import { formatDateTime, type WireDateTime } from '../../shared/platform/formats/format.js';
import { fixedZone } from '../../shared/platform/formats/timeZone.js';
import { encryptText } from '../../shared/platform/security/encryption.js';

export const livePassword = 'on air 2026';

/** Gives a user the password that live events need. */
export async function setLivePassword(ctx: Context, userId: string): Promise<void> {
  const encrypted = encryptText(ctx.config.encryptionKey, userId, livePassword);
  await ctx.db.change('UPDATE users SET live_password = $encrypted WHERE id = $userId', { encrypted, userId });
}

/** A moment of a request: so many minutes after the present of the test clock, in the local time of the offset. */
export function inMinutes(ctx: Context, minutes: number, offsetMs = 0): WireDateTime {
  return formatDateTime(new Date(ctx.clock.now().getTime() + minutes * 60_000), fixedZone(offsetMs));
}
