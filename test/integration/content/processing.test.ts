import { expect } from 'chai';
import type { ContentState } from '../../../shared/content/content.model.js';
import { isProcessing, processing } from '../../../shared/content/processing.js';
import { serviceFixture } from '../../support/service.js';

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
