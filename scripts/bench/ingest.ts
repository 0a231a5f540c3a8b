import { setTimeout as sleep } from 'node:timers/promises';
import { Content } from '../../shared/content/content.model.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { Clip } from './benchContext.js';
import type { Service } from './service.js';

interface BoxItem {
  readonly boxId: string;
  readonly resourceId: string;
  readonly status: string;
  readonly preparing?: number;
  readonly message?: string;
}

/** A video that the service has accepted. */
export interface Upload {
  readonly boxId: string;
  readonly contentId: string;
  /** Seconds since the response to the upload. */
  readonly seconds: () => number;
}

const pollEveryMs = 100;
/** Encoding takes a minute and more, and each poll takes processor time from it. */
const completePollMs = 500;
/** The first segment is there within seconds. */
const firstSegmentPollMs = 50;

export async function upload({ client, user }: Service, clip: Clip): Promise<Upload> {
  const form = { file: clip.path, fields: { title: 'A clip' } };
  const { boxId, resourceId } = await client.upload<BoxItem>('/api/box', user.token, form, () => {});
  const accepted = performance.now();
  return { boxId, contentId: resourceId, seconds: () => (performance.now() - accepted) / 1000 };
}

/** Seconds from the response to an upload to the first read with status READY. */
export function untilReady(service: Service, one: Upload): Promise<number> {
  return until(service, one, ({ status }) => status === 'READY', pollEveryMs);
}

/** Seconds from the response to an upload to the first read with status READY, and no rendition that is still made. */
export function untilComplete(
  service: Service,
  one: Upload,
  onShare: (share: number) => void = () => {},
): Promise<number> {
  const isComplete = ({ status, preparing }: BoxItem): boolean => status === 'READY' && preparing === undefined;
  return until(service, one, isComplete, completePollMs, onShare);
}

async function until(
  service: Service,
  one: Upload,
  isReached: (item: BoxItem) => boolean,
  everyMs: number,
  onShare?: (share: number) => void,
): Promise<number> {
  const { client, user } = service;
  for (let polls = 0; ; polls += 1) {
    const item = await client.get<BoxItem>(`/api/box/${one.boxId}`, user.token);
    if (item.message !== undefined) throw new Error(`the status of the clip is ${item.status}: ${item.message}`);
    if (isReached(item)) return one.seconds();
    if (onShare && polls % 4 === 0) onShare(await shareOf(service, one.contentId));
    await sleep(everyMs);
  }
}

/** Seconds from the response to an upload until its owner has received a master playlist, a list, and the first segment. */
export async function untilFirstSegment(service: Service, one: Upload): Promise<number> {
  const { client, user } = service;
  for (;;) {
    const { streamer } = await client.post<{ streamer: string }>(`/api/box/${one.boxId}/play`, user.token, {});
    if (streamer !== '' && (await receiveFirstSegment(streamer))) return one.seconds();
    await sleep(firstSegmentPollMs);
  }
}

export async function receiveFirstSegment(masterUrl: string): Promise<boolean> {
  const master = await textOf(masterUrl);
  const listUrl = firstAddress(master, masterUrl);
  const list = listUrl && (await textOf(listUrl));
  if (!list) return false;
  const map = /#EXT-X-MAP:URI="([^"]+)"/.exec(list)?.[1];
  const segment = firstAddress(list, listUrl);
  if (!map || !segment) return false;
  return [await bytesOf(new URL(map, listUrl).href), await bytesOf(segment)].every((bytes) => bytes > 0);
}

/** The first line of a playlist that is an address. */
function firstAddress(playlist: string | null, base: string): string | null {
  const line = playlist?.split('\n').find((one) => one !== '' && !one.startsWith('#'));
  return line ? new URL(line, base).href : null;
}

async function textOf(url: string): Promise<string | null> {
  const response = await fetch(url);
  const text = await response.text();
  return response.ok ? text : null;
}

async function bytesOf(url: string): Promise<number> {
  const response = await fetch(url);
  const { byteLength } = await response.arrayBuffer();
  return response.ok ? byteLength : 0;
}

/** The plan of the newest generation. */
export async function planOf({ ctx }: Service, { contentId }: Upload): Promise<ContentPlan> {
  const content = await ctx.db.model(Content).findByPk(contentId, { attributes: ['plan'] });
  if (!content?.plan) throw new Error('the content has no plan');
  return content.plan;
}

/** Deletes a video, and waits until its files are gone: removing them would slow down the next measurement. */
export async function discard({ client, user, ctx }: Service, { boxId, contentId }: Upload): Promise<void> {
  await client.delete(`/api/box/${boxId}`, user.token);
  while (await ctx.db.model(Content).findByPk(contentId, { attributes: ['id'] })) await sleep(pollEveryMs);
}

/** The part of the newest generation that is done, 0 to 1, from the progress of its chunks. */
async function shareOf({ ctx }: Service, contentId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ share: number | null }>(
    `SELECT avg(CASE WHEN chunk.state = 'DONE' THEN 1 ELSE chunk.progress END)::float8 AS share
       FROM chunks chunk JOIN contents content ON content.id = chunk.content_id AND content.generation = chunk.generation
      WHERE content.id = $contentId`,
    { contentId },
  );
  return row?.share ?? 0;
}
