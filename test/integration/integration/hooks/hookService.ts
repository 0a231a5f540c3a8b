import type { TestApi } from '../../../support/api.js';
import type { TestContext, TestOptions } from '../../../support/context.js';
import type { HookClient } from '../../../support/hooks.js';
import { makeStream, runsOf } from '../../../support/liveStreams.js';
import { makeUser, setLivePassword } from '../../../support/users.js';
import { openService } from '../../../support/fixtures.js';
import { maxConnectionWaitSeconds } from '../../../../shared/streaming/externalPublication.service.js';
import type { LiveRun } from '../../../../shared/streaming/streaming.model.js';

export interface HookService {
  readonly ctx: TestContext;
  readonly api: TestApi;
  /** Creates a publisher with a live password and a stream. */
  publisher(): Promise<Publisher>;
  /** The runs of a stream, oldest first. */
  runs(streamId: string): Promise<LiveRun[]>;
  close(): Promise<void>;
}

export interface Publisher extends HookClient {
  readonly userId: string;
  readonly streamId: string;
}

export const pullUrl = 'rtmp://127.0.0.1:1936/{app}/{streamPath}';

export async function openHookService(
  overrides: Record<string, string> = {},
  { limits = [], ...options }: TestOptions = {},
): Promise<HookService> {
  const { ctx, api, close } = await openService(
    { LIVE_PULL_URL: pullUrl, OVENMEDIAENGINE_SECRET: 'a secret of the engine', ...overrides },
    // No live process connects to the service.
    { ...options, limits: [[maxConnectionWaitSeconds, 0], ...limits] },
  );
  return {
    ctx,
    api,
    async publisher() {
      const { id: userId, userCode: user } = await makeUser(ctx);
      const pass = 'p+ä ss&100%';
      await setLivePassword(ctx, userId, pass);
      const { streamId, path } = await makeStream(ctx, userId);
      return { userId, streamId, path, user, pass };
    },
    runs: (streamId) => runsOf(ctx, streamId),
    close,
  };
}
