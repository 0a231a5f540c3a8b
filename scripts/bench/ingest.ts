import { setTimeout as sleep } from 'node:timers/promises';
import { Content } from '../../shared/content/content.model.js';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { Clip } from './benchContext.js';
import type { Service } from './service.js';

interface BoxItem {
  readonly boxId: string;
  readonly resourceId: string;
  readonly status: string;
}

export interface IngestResult {
  /** From the response to the upload to the first read with status READY. */
  readonly seconds: number;
  readonly plan: ContentPlan;
}

const pollEveryMs = 100;

/**
 * Uploads a clip over HTTP and waits until it is READY. The clip is not removed: removing files would run during the next
 * measurement.
 */
export async function ingest(service: Service, clip: Clip, onShare: (share: number) => void): Promise<IngestResult> {
  const { client, user, ctx } = service;
  const form = { file: clip.path, fields: { title: 'A clip' } };
  const { boxId, resourceId } = await client.upload<BoxItem>('/api/box', user.token, form, () => {});
  const accepted = performance.now();
  const seconds = (): number => (performance.now() - accepted) / 1000;
  for (let polls = 0; ; polls += 1) {
    const { status } = await client.get<BoxItem>(`/api/box/${boxId}`, user.token);
    if (status === 'READY') break;
    if (status !== 'PENDING') throw new Error(`the status of the clip is ${status}`);
    if (polls % 10 === 0) onShare(await shareOf(service, resourceId));
    await sleep(pollEveryMs);
  }
  const taken = seconds();
  const content = await ctx.db.model(Content).findByPk(resourceId, { attributes: ['plan'] });
  if (!content?.plan) throw new Error('the content has no plan');
  return { seconds: taken, plan: content.plan };
}

/** The part of the work that is done, 0 to 1, from the progress of the chunks. */
async function shareOf({ ctx }: Service, contentId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ share: number | null }>(
    `SELECT avg(CASE WHEN state = 'DONE' THEN 1 ELSE progress END)::float8 AS share FROM chunks WHERE content_id = $contentId`,
    { contentId },
  );
  return row?.share ?? 0;
}
