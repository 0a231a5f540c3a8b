import { randomBytes } from 'node:crypto';
import { openContext, type OpenContext } from '../../shared/openContext.js';
import { queueNames } from '../../shared/platform/queueNames.js';
import { readConfig } from '../../shared/settings.js';
import { createVideoClient, type VideoClient } from '../../client/index.js';
import { postRegistration } from '../../scripts/sample/demoUser.js';
import { freePort } from '../../scripts/embedded/freePort.js';
import type { BenchContext } from './benchContext.js';

/** A running service, its client, and a context on its database. */
export interface Service {
  readonly url: string;
  /** Logged in as the user. */
  readonly video: VideoClient;
  readonly user: { readonly id: string; readonly code: string; readonly token: string };
  readonly environment: Readonly<Record<string, string>>;
  /** Process id of the web process. */
  readonly pid: number;
  /** A context in this process, on the same database and files. */
  readonly ctx: OpenContext;
}

/** The user's plan, with enough storage and bandwidth for every figure. */
const businessPlan = 5;

/** All queues but `transcoding`, for `WORKER_QUEUES`. */
export const queuesWithoutTranscoding = queueNames.filter((name) => name !== 'transcoding').join(',');

/** Starts the built web process with its own settings, and registers a user. */
export async function startService(
  bench: BenchContext,
  overrides: Readonly<Record<string, string>> = {},
): Promise<Service> {
  const environment = await bench.settings({ PORT: String(await freePort()), ...overrides });
  const ctx = await openBenchContext(bench, environment);
  const { pid } = await bench.start('api/main.js', environment);
  const url = ctx.config.service.publicUrl;
  const { id: clientId, secret: clientSecret } = ctx.config.oauth.clients[0];
  const video = createVideoClient({ baseUrl: url, clientId, clientSecret });
  const user = await createBenchUser(ctx, video);
  return { url, video, environment, pid, ctx, user };
}

/** A context in this process that logs errors only, closed after the figure. */
export async function openBenchContext(
  bench: BenchContext,
  environment: Readonly<Record<string, string>>,
): Promise<OpenContext> {
  const ctx = await openContext(readConfig('script', { ...environment, LOG_LEVEL: 'error' }));
  bench.cleanups.add(() => ctx.close());
  return ctx;
}

async function createBenchUser(ctx: OpenContext, video: VideoClient): Promise<Service['user']> {
  const code = 'bench';
  const account = { userCode: code, password: randomBytes(12).toString('base64url') };
  await postRegistration(video, account, { firstName: 'Bench', lastName: 'User' });
  const [user] = await ctx.db.rows<{ id: string }>('SELECT id FROM users WHERE user_code = $code', { code });
  if (!user) throw new Error('the registered user is not there');
  await ctx.db.change(
    'INSERT INTO quotas (user_id, plan_id) VALUES ($id, $plan) ON CONFLICT (user_id) DO UPDATE SET plan_id = $plan',
    { id: user.id, plan: businessPlan },
  );
  await video.logIn(account.userCode, account.password);
  return { id: user.id, code, token: video.session?.accessToken ?? '' };
}
