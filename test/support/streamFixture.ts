import type { Context } from '../../shared/platform/context.js';
import { playContent } from '../../shared/playback/playContent.js';
import { registerUser, type TestApi, type TestUser } from './api.js';
import { seedBoxItem, seedStream, type SeededItem } from './rows.js';
import type { TestContext } from './context.js';
import { rawRequest } from './rawRequest.js';
import { openService } from './fixtures.js';

/** A service with one content whose files are in the store. */
export interface StreamFixture {
  readonly ctx: TestContext;
  readonly api: TestApi;
  readonly owner: TestUser;
  readonly item: SeededItem;
  /** Files of the content, all of them text, by path below its folder. */
  readonly files: ReadonlyMap<string, Buffer>;
  /** Path of a content's folder under a new grant, with a trailing slash; a preview grant may also name the complete folder. */
  pathOf(item: SeededItem, kind?: 'full' | 'preview'): Promise<string>;
  /** Sends a path unchanged, while other clients would normalize it. */
  get(path: string, headers?: Readonly<Record<string, string>>, method?: string): ReturnType<typeof rawRequest>;
  close(): Promise<void>;
}

export async function openStreamFixture(overrides: Record<string, string> = {}): Promise<StreamFixture> {
  const { ctx, api, close } = await openService({ PUBLIC_URL: 'https://video.example', ...overrides });
  const owner = await registerUser(api);
  const item = await seedBoxItem(ctx, owner.userId);
  return {
    ctx,
    api,
    owner,
    item,
    files: await seedStream(ctx, item.folder),
    pathOf: (asked, kind = 'full') => streamPathOf(ctx, owner, asked, kind),
    get: (path, headers = {}, method = 'GET') =>
      rawRequest(api, { method, path, headers: Object.entries(headers).flat() }),
    close,
  };
}

/** Path of a content's folder under a new grant, with a trailing slash. */
export async function streamPathOf(
  ctx: Context,
  { userCode }: TestUser,
  { contentId }: SeededItem,
  kind: 'full' | 'preview' = 'full',
): Promise<string> {
  const content = {
    id: contentId,
    folder: contentId,
    state: 'READY' as const,
    readyGeneration: 1,
    readyAttempt: null,
    durationMs: 60_000,
  };
  const { uniqueStreamer } = await playContent(ctx, { content, publisherCode: userCode, viewerCode: null, kind });
  return new URL(uniqueStreamer).pathname.replace(/(preview\/)?master\.m3u8$/, '');
}
