import { contentStates } from '../../shared/content/contentState.queries.js';
import { apiAt, type TestApi } from './api.js';
import { openTestContext, type TestContext } from './context.js';
import { eventually } from './eventually.js';
import { freePort, startBuilt, type BuiltProcess } from './processes.js';

/** A deployment of the service: built processes with a separate database and folder. */
export interface TestDeployment {
  /** A context with the same database and files, outside the processes. */
  readonly ctx: TestContext;
  readonly api: TestApi;
  /** `build`: see `startBuilt`. */
  start(
    kind: 'web' | 'worker' | 'live' | 'clock',
    overrides?: Readonly<Record<string, string>>,
    build?: string,
  ): Promise<BuiltProcess>;
  /** Stops the remaining processes and removes everything. */
  close(): Promise<void>;
}

/** Prepares a deployment; `start` starts its processes. */
export async function openDeployment(
  overrides: Record<string, string> = {},
  databaseServer?: string,
  { isMigrated = true } = {},
): Promise<TestDeployment> {
  const port = String(await freePort());
  const ctx = await openTestContext(
    { PORT: port, PUBLIC_URL: `http://127.0.0.1:${port}`, LOG_LEVEL: 'warn', ...overrides },
    { databaseServer, isMigrated },
  );
  const running: BuiltProcess[] = [];
  return {
    ctx,
    api: apiAt(ctx, `http://127.0.0.1:${port}`),
    async start(kind, more = {}, build?: string) {
      const started = await startBuilt(kind, { ...ctx.env, ...more }, build);
      running.push(started);
      return started;
    },
    async close() {
      await Promise.all(running.map((one) => one.end('SIGKILL')));
      await ctx.close();
    },
  };
}

/** Uploads a file into a user's box through the API; resolves with the box item. */
export async function uploadClip(
  api: TestApi,
  token: string,
  file: Blob,
  title: string,
): Promise<{ boxId: string; contentId: string }> {
  const form = new FormData();
  form.set('title', title);
  form.set('file', file, 'clip.mp4');
  const { status, body, text } = await api.call('POST', '/api/box', { token, body: form });
  if (status !== 201) throw new Error(`upload responded ${status}: ${text}`);
  return body as { boxId: string; contentId: string };
}

/** Waits until a box item is no longer PENDING; resolves with its status. */
export async function untilSettled(api: TestApi, token: string, boxId: string, timeoutMs: number): Promise<string> {
  return eventually(
    async () => {
      const { status, body } = await api.call('GET', `/api/box/${boxId}`, { token });
      if (status !== 200 || body.status === 'PENDING')
        throw new Error(`not settled within ${timeoutMs} ms: ${status} ${body?.status}`);
      return body.status as string;
    },
    { timeoutMs, everyMs: 200 },
  );
}

/** Waits until a share of a content's chunks is done, in percent, so that a crash happens during the work. */
export async function untilProgress(
  ctx: TestContext,
  contentUuid: string,
  percent: number,
  timeoutMs = 180_000,
): Promise<void> {
  await eventually(
    async () => {
      const progress = (await contentStates(ctx, [contentUuid])).get(contentUuid)?.percent ?? 0;
      if (progress < percent) throw new Error(`at ${progress} percent, not at ${percent}`);
    },
    { timeoutMs, everyMs: 50 },
  );
}
