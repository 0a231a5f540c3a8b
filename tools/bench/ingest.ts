import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf, type BoxItem } from '../../client/index.js';
import { Content } from '../../shared/content/content.model.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { Clip } from './benchContext.js';
import { sendFile, type Sending } from './fileRequest.js';
import type { Service } from './service.js';

/** A video that the service has accepted. */
export interface Upload {
  readonly boxId: string;
  readonly contentId: string;
  /** Seconds since the response to the upload. */
  readonly seconds: () => number;
}

const pollEveryMs = 100;
/** Encoding takes a minute or more, and each poll costs processor time. */
const completePollMs = 500;
/** The first segment is available within seconds. */
const firstSegmentPollMs = 50;

const itemAt = (boxId: string) => ({ params: { path: { boxId } } });

/** A tus upload in one request. Resolves when the service has responded to it. */
export async function upload(
  { url, video, user }: Service,
  clip: Pick<Clip, 'path' | 'bytes'>,
  { sending = {}, progressId = '' }: { readonly sending?: Sending; readonly progressId?: string } = {},
): Promise<Upload> {
  const tus = { Authorization: `Bearer ${user.token}`, 'Tus-Resumable': '1.0.0' };
  const created = await fetch(`${url}/api/box/tus`, {
    method: 'POST',
    headers: {
      ...tus,
      'Upload-Length': String(clip.bytes),
      'Upload-Metadata': `title ${Buffer.from('A film').toString('base64')}`,
      ...(progressId ? { 'X-Service-progressbarId': progressId } : {}),
    },
  });
  const headers = await sendFile({
    ...{ url: new URL(created.headers.get('Location') ?? '', url).href, method: 'PATCH' },
    headers: { ...tus, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' },
    ...{ path: clip.path, bytes: clip.bytes, ...sending },
  });
  const accepted = performance.now();
  const boxId = String(headers['box-id']);
  const { resourceId } = dataOf(await video.api.GET('/api/box/{boxId}', itemAt(boxId)));
  return { boxId, contentId: resourceId, seconds: () => (performance.now() - accepted) / 1000 };
}

/** Seconds from the response to an upload to the first read with status READY. */
export function untilReady(service: Service, one: Upload): Promise<number> {
  return until(service, one, ({ status }) => status === 'READY', pollEveryMs);
}

/** Seconds from the response to an upload to the first read with status READY and no rendition in progress. */
export function untilComplete(service: Service, one: Upload): Promise<number> {
  return until(service, one, ({ status, preparing }) => status === 'READY' && preparing === undefined, completePollMs);
}

async function until(
  { video }: Service,
  { boxId, seconds }: Upload,
  isReached: (item: BoxItem) => boolean,
  everyMs: number,
): Promise<number> {
  for (;;) {
    const item = dataOf(await video.api.GET('/api/box/{boxId}', itemAt(boxId)));
    if (item.status === 'FAILED') throw new Error(`the upload has failed: ${item.message}`);
    if (isReached(item)) return seconds();
    await sleep(everyMs);
  }
}

/**
 * Seconds from the response to an upload until its owner has received the master playlist, a media playlist, and the first segment.
 */
export async function untilFirstSegment({ video }: Service, { boxId, seconds }: Upload): Promise<number> {
  for (;;) {
    const { streamer } = dataOf(await video.api.POST('/api/box/{boxId}/play', itemAt(boxId)));
    if (streamer !== '' && (await receiveFirstSegment(streamer))) return seconds();
    await sleep(firstSegmentPollMs);
  }
}

/** Whether a media playlist lists a segment. Receives it and its initialisation segment. */
export async function receiveFirstSegment(masterUrl: string): Promise<boolean> {
  const playlistUrl = firstAddress(await textOf(masterUrl), masterUrl);
  if (playlistUrl === null) return false;
  const playlist = await textOf(playlistUrl);
  const map = /#EXT-X-MAP:URI="([^"]+)"/.exec(playlist)?.[1];
  const segment = firstAddress(playlist, playlistUrl);
  if (!map || !segment) return false;
  return (await textOf(new URL(map, playlistUrl).href)) !== '' && (await textOf(segment)) !== '';
}

/** The first address in a playlist. */
function firstAddress(playlist: string, base: string): string | null {
  const line = playlist.split('\n').find((one) => one !== '' && !one.startsWith('#'));
  return line ? new URL(line, base).href : null;
}

/** The body of a response; empty if the response is an error. */
async function textOf(url: string): Promise<string> {
  const response = await fetch(url);
  const text = await response.text();
  return response.ok ? text : '';
}

/** The plan of the newest generation. */
export async function planOf({ ctx }: Service, { contentId }: Upload): Promise<ContentPlan> {
  const content = await ctx.db.model(Content).findByPk(contentId, { attributes: ['plan'] });
  if (!content?.plan) throw new Error('the content has no plan');
  return content.plan;
}

/** Deletes a video, and waits for the removal of its files, which would slow down the next measurement. */
export async function discard({ video, ctx }: Service, { boxId, contentId }: Upload): Promise<void> {
  const { error } = await video.api.DELETE('/api/box/{boxId}', itemAt(boxId));
  if (error) throw new Error(`the upload cannot be deleted: ${JSON.stringify(error)}`);
  while (await ctx.db.model(Content).findByPk(contentId, { attributes: ['id'] })) await sleep(pollEveryMs);
}
