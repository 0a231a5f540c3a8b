import { ApiError } from './client.js';
import { keepDemo, localClient, readDemo, type Demo } from './demoState.js';
import { logInDemoUser } from './demoUser.js';
import { sampleClips } from './sampleClip.js';
import { uploadedClip, type DemoRun } from './uploadedClip.js';

type DemoOptions = Omit<DemoRun, 'client' | 'token'>;

/**
 * Uploads, transcodes and publishes a sample clip over the HTTP interface. Steps that an earlier start has completed are
 * not repeated. Resolves with null, after printing the reason, if the demo could not be completed.
 */
export async function runDemo(options: DemoOptions): Promise<Demo | null> {
  try {
    return await demo(options);
  } catch (error) {
    if (!options.signal.aborted) {
      options.terminal.say(`The demo has stopped and will continue at the next start: ${(error as Error).message}`);
    }
    return null;
  }
}

async function demo(options: DemoOptions): Promise<Demo> {
  const { config } = options;
  const state = readDemo(config);
  const client = localClient(config);
  const run = { ...options, client, token: await logInDemoUser(client, state, () => keepDemo(config, state)) };
  if (state.vodId && (await exists(client.get(`/api/vod/${state.vodId}`, run.token)))) return state;
  const { boxId } = await uploadedClip(run, sampleClips[0], 'READY');
  state.vodId = await publish(run, boxId);
  keepDemo(config, state);
  return state;
}

async function exists(request: Promise<unknown>): Promise<boolean> {
  try {
    await request;
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return false;
    throw error;
  }
}

async function publish({ client, token }: DemoRun, boxId: string): Promise<string> {
  const { items } = await client.post<{ items: { vodId: string; boxId: string }[] }>(
    '/api/search/vod/contents',
    token,
    { pageSize: 20, pageIndex: 0 },
  );
  const before = items.find((item) => item.boxId === boxId);
  if (before) return before.vodId;
  return (await client.post<{ vodId: string }>(`/api/box/${boxId}/vod`, token, { licenseType: 'FREE' })).vodId;
}
