import { setTimeout as sleep } from 'node:timers/promises';
import { fillCatalogue } from '../catalogue.js';
import { medianOf, percentileOf, type Figure } from '../figure.js';
import { startService, type Service } from '../service.js';

interface Found {
  readonly items: readonly { readonly vodId: string }[];
}

const items = 1_000;
const giveUpMs = 10_000;

export const searchable: Figure = {
  name: 'searchable',
  title: 'Change to searchable, p95, PostgreSQL engine, idle system',
  target: { atMost: 300 },
  targetUnit: 'ms',
  method:
    'Web and worker as built processes. A box item is given a title with a new word (`POST /api/box/{boxId}`); from the moment before ' +
    'this request to the moment when `POST /api/public/search/vod/contents` has answered with the item, asked every few milliseconds. ' +
    `${items.toLocaleString('en-US')} items, one change at a time, pauses between them.`,
  async measure(bench) {
    const service = await startService(bench);
    const { ctx, user } = service;
    await fillCatalogue(ctx, user.id, items);
    await bench.start('workers/main.js', service.environment);
    const [target] = await ctx.db.rows<{ vodId: string; boxId: string }>(
      'SELECT id AS vod_id, box_item_id AS box_id FROM vod_items LIMIT 1',
    );
    if (!target) throw new Error('there is no item to change');
    const changes = bench.quick ? 10 : 60;
    await change(service, target, 'warmup');
    const waits: number[] = [];
    while (waits.length < changes) {
      // Of uneven length, so that the changes do not fall in step with anything that comes round.
      await sleep(150 + ((waits.length * 37) % 200));
      waits.push(await change(service, target, `changed${waits.length}`));
      bench.onProgress((waits.length / changes) * 100);
    }
    const p95 = percentileOf(waits, 0.95);
    const note = `${changes} changes, median ${Math.round(medianOf(waits))} ms, longest ${Math.round(Math.max(...waits))} ms`;
    return { unit: 'ms', ours: p95, reference: null, result: p95, note };
  },
};

/** Milliseconds until a search finds what a change has made. */
async function change(
  { client, user }: Service,
  target: { vodId: string; boxId: string },
  word: string,
): Promise<number> {
  const start = performance.now();
  await client.post(`/api/box/${target.boxId}`, user.token, { title: `A title ${word}` });
  for (;;) {
    const search = { pageSize: 10, pageIndex: 0, queryString: word };
    const { items: found } = await client.post<Found>('/api/public/search/vod/contents', user.token, search);
    const waited = performance.now() - start;
    if (found.some(({ vodId }) => vodId === target.vodId)) return waited;
    if (waited > giveUpMs) throw new Error(`not searchable after ${giveUpMs / 1000} s`);
    await sleep(2);
  }
}
