import type { Context } from '../../shared/platform/context.js';
import type { RowOf } from '../../shared/platform/database/model.js';
import { issueUserTokens } from '../../shared/oauth/token.service.js';
import { readUser } from '../../shared/user/user.queries.js';
import type { TestResponse, TestApi, TestUser } from './api.js';
import { back, payInSandbox } from './payments.js';
import { Quota } from '../../shared/license/license.model.js';
import { addStreamingSeconds } from '../../shared/license/streamingHours.service.js';
import { currentMonth } from '../../shared/license/usage.service.js';

/** Starts the payment of a plan, with a valid request by default. */
export function subscribe(api: TestApi, token: string, name: string, body: object = {}): Promise<TestResponse> {
  return api.call('POST', `/api/license/${name}/subscribe`, { token, body: { ...back, ...body } });
}

export function activate(api: TestApi, token: string, name: string, trackingId: unknown): Promise<TestResponse> {
  return api.call('POST', `/api/license/${name}/activate`, { token, body: { trackingId } });
}

/** Subscribes, pays through the sandbox and activates. Resolves with the overview and the payment's tracking id. */
export async function buyLicense(api: TestApi, user: TestUser, name: string, months = 1) {
  const { body } = await subscribe(api, user.token, name, { advanceMonthlyPayments: months });
  await payInSandbox(api.ctx, body.trackingId);
  const response = await activate(api, user.token, name, body.trackingId);
  if (response.status !== 200) throw new Error(`activate responded ${response.status}: ${response.text}`);
  return { overview: response.body, trackingId: String(body.trackingId) };
}

/** The same user with a new token, for use after the clock has passed the lifetime of a token. */
export async function withNewToken(api: TestApi, user: TestUser): Promise<TestUser> {
  const { passwordHash } = await readUser(api.ctx, user.userId);
  const clientId = api.ctx.config.oauth.clients[0].id;
  const tokens = await issueUserTokens(api.ctx, { clientId, userId: user.userId, passwordHash });
  if (!tokens) throw new Error('the user can no longer log in');
  return { ...user, token: tokens.access_token };
}

/** Sets the limits and the usage of a user. */
export async function setQuota(ctx: Context, userId: string, columns: Partial<RowOf<typeof Quota>>): Promise<void> {
  const changed = await ctx.db.model(Quota).update(columns, { where: { userId } });
  if (changed === 0) await ctx.db.model(Quota).create({ userId, ...columns });
}

/** The columns of a quota that name the current month. */
export function quotaMonth(ctx: Context): string {
  return `${ctx.clock.now().toISOString().slice(0, 7)}-01`;
}

/** Publishes more hours than any plan includes, in this month. */
export function useUpStreaming(ctx: Context, userId: string): Promise<void> {
  return setQuota(ctx, userId, { streamingMonth: quotaMonth(ctx), streamingSeconds: 1e9 });
}

/** Adds streaming time to this month with the statement that counts the time of runs. */
export async function publishSeconds(ctx: Context, userId: string, seconds: number): Promise<void> {
  await ctx.db.change(`WITH counted AS (SELECT $seconds::bigint AS seconds) ${addStreamingSeconds}`, {
    ...{ userId, seconds, month: await currentMonth(ctx) },
  });
}
