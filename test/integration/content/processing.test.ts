import { expect } from 'chai';
import { type ContentState, Content } from '../../../shared/content/content.model.js';
import { isProcessing, processing } from '../../../shared/content/processing.js';
import { serviceFixture } from '../../support/fixtures.js';
import { completeGeneration } from '../../../shared/content/generation.lifecycle.js';
import { seedBoxItem, changeRow } from '../../support/rows.js';
import { makeUser } from '../../support/users.js';

const states: readonly ContentState[] = ['PENDING', 'READY', 'FAILED', 'DELETED'];
const endedGenerations = [null, 1, 2, 3];

const contents = states.flatMap((state) =>
  [1, 2, 3].flatMap((generation) =>
    endedGenerations.flatMap((readyGeneration) =>
      endedGenerations.map((failedGeneration) => ({ state, generation, readyGeneration, failedGeneration })),
    ),
  ),
);

describe('the processing state of a content', () => {
  const { ctx } = serviceFixture();

  it('is the same in SQL and for a row in memory', async () => {
    const rows = contents.map((content, position) => ({
      position,
      state: content.state,
      generation: content.generation,
      ready_generation: content.readyGeneration,
      failed_generation: content.failedGeneration,
    }));
    const found = await ctx.db.rows<{ position: number }>(
      `SELECT c.position
         FROM jsonb_to_recordset($rows::jsonb)
           AS c (position integer, state text, generation integer, ready_generation integer, failed_generation integer)
        WHERE ${processing('c')} ORDER BY c.position`,
      { rows: JSON.stringify(rows) },
    );
    const expected = contents.flatMap((content, position) => (isProcessing(content) ? [position] : []));
    expect(expected).to.not.be.empty;
    expect(found.map(({ position }) => position)).to.deep.equal(expected);
  });
});

/** Sum and count of the observed seconds. */
interface Observed {
  readonly quick: readonly [number, number];
  readonly full: readonly [number, number];
}

describe('metric content_ready_seconds', () => {
  const { ctx } = serviceFixture();
  let contentId: string;

  before(async () => {
    ({ contentId } = await seedBoxItem(ctx, (await makeUser(ctx)).id, { state: 'PENDING' }));
    await changeRow(ctx, Content, contentId, { generation: 1, quick: true });
  });

  async function observed(): Promise<Observed> {
    const text = await ctx.metrics.registry.metrics();
    const read = (part: string, generation: string): number =>
      Number(
        new RegExp(`^content_ready_seconds_${part}\\{.*generation="${generation}".*\\} (\\S+)$`, 'm').exec(text)?.[1] ??
          0,
      );
    const of = (generation: string): [number, number] => [read('sum', generation), read('count', generation)];
    return { quick: of('quick'), full: of('full') };
  }

  /** The change of the metric when a generation becomes ready. */
  async function addedBy(generation: number, fails = false): Promise<object> {
    const before = await observed();
    const work = ctx.db.transaction(async (tx) => {
      expect(await completeGeneration(ctx, tx, { contentId, generation }, 1000)).to.equal(true);
      if (fails) throw new Error('rolled back');
    });
    if (fails) await work.catch(() => {});
    else await work;
    const after = await observed();
    const added = (kind: keyof Observed) => after[kind].map((value, index) => value - (before[kind][index] ?? 0));
    return { quick: added('quick'), full: added('full') };
  }

  it('contains the time since the upload of the quick and of the full generation', async () => {
    const nothing = [0, 0];
    ctx.clock.advance(4_000);
    expect(await addedBy(1, true)).to.deep.equal({ quick: nothing, full: nothing });
    expect(await addedBy(1)).to.deep.equal({ quick: [4, 1], full: nothing });
    ctx.clock.advance(60_000);
    expect(await addedBy(2)).to.deep.equal({ quick: nothing, full: [64, 1] });
  });
});
