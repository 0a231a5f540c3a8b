import { dataOf } from '../../client/index.js';
import { keepDemo, localClient, readDemo, type Demo } from './demoState.js';
import { logInDemoUser } from './demoUser.js';
import { sampleClips } from './sampleClip.js';
import { uploadedClip, type DemoRun } from './uploadedClip.js';

type DemoOptions = Omit<DemoRun, 'client'>;

/**
 * Uploads, transcodes and publishes a sample clip over the HTTP interface. Steps that an earlier start has completed are
 * not repeated. Resolves with null, after printing the reason, if the demo could not be completed.
 */
export async function runDemo(options: DemoOptions): Promise<Demo | null> {
  try {
    return await demo(options);
  } catch (error) {
    if (!options.signal.aborted) {
      options.terminal.say(`The demo has failed and will continue at the next start: ${(error as Error).message}`);
    }
    return null;
  }
}

async function demo(options: DemoOptions): Promise<Demo> {
  const { config } = options;
  const state = readDemo(config);
  const run = { ...options, client: localClient(config) };
  await logInDemoUser(run.client, state, () => keepDemo(config, state));
  if (state.vodId && (await isPublished(run, state.vodId))) return state;
  const { boxId } = await uploadedClip(run, sampleClips[0], 'READY');
  state.vodId = await publish(run, boxId);
  keepDemo(config, state);
  return state;
}

async function isPublished({ client }: DemoRun, vodId: string): Promise<boolean> {
  const found = await client.api.GET('/api/vod/{vodId}', { params: { path: { vodId } } });
  if (found.response.status === 404) return false;
  dataOf(found);
  return true;
}

async function publish({ client }: DemoRun, boxId: string): Promise<string> {
  const body = { pageSize: 20, pageIndex: 0 };
  const { items } = dataOf(await client.api.POST('/api/search/vod/contents', { body }));
  const before = items.find((item) => item.boxId === boxId);
  if (before) return before.vodId;
  const published = await client.api.POST('/api/box/{boxId}/vod', {
    ...{ params: { path: { boxId } }, body: { licenseType: 'FREE' } },
  });
  return dataOf(published).vodId;
}
