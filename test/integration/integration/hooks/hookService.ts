import { startApi, type TestApi } from '../../../support/api.js';
import { openTestContext, type TestContext } from '../../../support/context.js';
import type { HookClient } from '../../../support/hooks.js';
import { makeStream, setLivePassword } from '../../../support/streams.js';
import { makeUser } from '../../../support/users.js';

export interface HookService {
  readonly ctx: TestContext;
  readonly api: TestApi;
  /** A new publisher with a live password and a stream of its own. */
  publisher(): Promise<Publisher>;
  /** The runs of a stream, the first one first. */
  runs(streamId: string): Promise<Run[]>;
  close(): Promise<void>;
}

export interface Publisher extends HookClient {
  readonly userId: string;
  readonly streamId: string;
}

interface Run {
  readonly state: string;
  readonly source: string;
  readonly pullUrl: string;
  readonly clientAddress: string | null;
  readonly endReason: string | null;
}

export const pullUrl = 'rtmp://127.0.0.1:1936/{app}/{streamPath}';

export async function openHookService(overrides: Record<string, string> = {}): Promise<HookService> {
  const ctx = await openTestContext({
    LIVE_PULL_URL: pullUrl,
    OVENMEDIAENGINE_SECRET: 'a secret of the engine',
    GUARDED_CALLS_PER_MINUTE: '1000',
    ...overrides,
  });
  const api = await startApi(ctx);
  return {
    ctx,
    api,
    async publisher() {
      const { id: userId, userCode: user } = await makeUser(ctx);
      const pass = 'p+ä ss&100%';
      await setLivePassword(ctx, userId, pass);
      const { id: streamId, path } = await makeStream(ctx, userId);
      return { userId, streamId, path, user, pass };
    },
    runs: (streamId) =>
      ctx.db.rows<Run>(
        `SELECT state, source, pull_url, client_address, end_reason FROM live_runs
          WHERE stream_id = $streamId ORDER BY offered_at, ended_at NULLS LAST`,
        { streamId },
      ),
    async close() {
      await api.close();
      await ctx.close();
    },
  };
}
