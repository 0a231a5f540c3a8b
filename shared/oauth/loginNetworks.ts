import type { Context } from '../platform/context.js';
import { networkOf } from '../platform/formats/network.js';

/** Retention of a network after the last login from it. */
export const rememberedDays = 30;

/** Whether the user has logged in from this address (for IPv6: its /64) in the last 30 days. */
export async function isKnownNetwork(
  ctx: Context,
  { userCode, remoteAddress }: { readonly userCode: string; readonly remoteAddress: string },
): Promise<boolean> {
  const rows = await ctx.db.rows(
    `SELECT 1 FROM login_networks n JOIN users u ON u.id = n.user_id
      WHERE lower(u.user_code) = lower($userCode) AND n.network = $network
        AND n.last_login_at > $now::timestamptz - make_interval(days => $rememberedDays)`,
    { userCode, network: networkOf(remoteAddress), now: ctx.clock.now(), rememberedDays },
  );
  return rows.length > 0;
}

/** Call it after a successful login. Writes at most one time a day for each user and network. */
export async function rememberNetwork(
  ctx: Context,
  { userId, remoteAddress }: { readonly userId: string; readonly remoteAddress: string },
): Promise<void> {
  await ctx.db.change(
    `INSERT INTO login_networks AS n (user_id, network, last_login_at) VALUES ($userId, $network, $now)
     ON CONFLICT (user_id, network) DO UPDATE SET last_login_at = excluded.last_login_at
      WHERE n.last_login_at < excluded.last_login_at - interval '1 day'`,
    { userId, network: networkOf(remoteAddress), now: ctx.clock.now() },
  );
}
