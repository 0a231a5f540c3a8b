import { setTimeout as sleep } from 'node:timers/promises';
import type { ContentPlan } from '../../shared/content/plan.js';
import type { Clip } from './benchContext.js';
import type { Service } from './service.js';

interface BoxItem {
  readonly boxId: string;
  readonly resourceId: string;
  readonly status: string;
}

export interface Ingested {
  /** From the answer to the upload to the first read that says READY. */
  readonly seconds: number;
  readonly plan: ContentPlan;
}

const lookEveryMs = 100;

/** Takes a clip through the main job over HTTP, as a client does. It stays: removing files would be work beside the next measurement. */
export async function ingest(service: Service, clip: Clip, onShare: (share: number) => void): Promise<Ingested> {
  const { client, user, ctx } = service;
  const form = { file: clip.path, fields: { title: 'A clip' } };
  const { boxId, resourceId } = await client.upload<BoxItem>('/api/box', user.token, form, () => {});
  const accepted = performance.now();
  const seconds = (): number => (performance.now() - accepted) / 1000;
  for (let looks = 0; ; looks += 1) {
    const { status } = await client.get<BoxItem>(`/api/box/${boxId}`, user.token);
    if (status === 'READY') break;
    if (status !== 'PENDING') throw new Error(`the clip has become ${status}`);
    if (looks % 10 === 0) onShare(await shareOf(service, resourceId));
    await sleep(lookEveryMs);
  }
  const taken = seconds();
  const [row] = await ctx.db.rows<{ plan: ContentPlan }>('SELECT plan FROM contents WHERE id = $resourceId', {
    resourceId,
  });
  if (!row) throw new Error('the content is not there');
  return { seconds: taken, plan: row.plan };
}

/** How much of the work is done: from the chunks' own progress. */
async function shareOf({ ctx }: Service, contentId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ share: number | null }>(
    `SELECT avg(CASE WHEN state = 'DONE' THEN 1 ELSE progress END)::float8 AS share FROM chunks WHERE content_id = $contentId`,
    { contentId },
  );
  return row?.share ?? 0;
}
