import { setTimeout as sleep } from 'node:timers/promises';
import { dataOf } from '../../../client/index.js';
import { fillCatalogue } from '../catalogue.js';
import { medianOf, percentileOf, type Figure } from '../figure.js';
import { startService, type Service } from '../service.js';

interface Target {
  readonly vodId: string;
  readonly boxId: string;
}

const items = 1_000;
const timeoutMs = 10_000;

export const searchableFigure: Figure = {
  name: 'searchable',
  title: 'From a change to its search hit, p95, PostgreSQL engine, idle system',
  target: { atMost: 300 },
  targetUnit: 'ms',
  reason: 'operate.md: a change is found at once.',
  method:
    'Web and worker as built processes. A box item gets a title with a new word (`POST /api/box/{boxId}`); from just before this ' +
    'request until `POST /api/public/search/vod/contents`, sent every few milliseconds, returns the item. ' +
    `${items.toLocaleString('en-US')} items, one change at a time, pauses between changes.`,
  async measure(bench) {
    const service = await startService(bench);
    const { ctx, user } = service;
    await fillCatalogue(ctx, user.id, items);
    await bench.start('workers/main.js', service.environment);
    const [target] = await ctx.db.rows<Target>('SELECT id AS vod_id, box_item_id AS box_id FROM vod_items LIMIT 1');
    if (!target) throw new Error('there is no item to change');
    const changes = bench.quick ? 10 : 60;
    await change(service, target, 'warmup');
    const waits: number[] = [];
    while (waits.length < changes) {
      // Pauses of different lengths, so that the changes do not coincide with periodic work.
      await sleep(150 + ((waits.length * 37) % 200));
      waits.push(await change(service, target, `changed${waits.length}`));
      bench.onProgress((waits.length / changes) * 100);
    }
    const p95 = percentileOf(waits, 0.95);
    const note = `${changes} changes, median ${Math.round(medianOf(waits))} ms, maximum ${Math.round(Math.max(...waits))} ms`;
    return { unit: 'ms', ours: p95, reference: null, result: p95, note };
  },
};

/** Milliseconds from a change until a search finds it. */
async function change({ video: { api } }: Service, { boxId, vodId }: Target, word: string): Promise<number> {
  const start = performance.now();
  dataOf(await api.POST('/api/box/{boxId}', { params: { path: { boxId } }, body: { title: `A title ${word}` } }));
  for (;;) {
    const body = { pageSize: 10, pageIndex: 0, queryString: word };
    const found = dataOf(await api.POST('/api/public/search/vod/contents', { body }));
    const waited = performance.now() - start;
    if (found.items.some((item) => item.vodId === vodId)) return waited;
    if (waited > timeoutMs) throw new Error(`not searchable after ${timeoutMs / 1000} s`);
    await sleep(2);
  }
}
