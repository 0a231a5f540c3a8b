import { expect } from 'chai';
import { createMeilisearchEngine } from '../../shared/platform/search/meilisearch/meilisearchEngine.js';
import type { SearchDocument, SearchIndex } from '../../shared/platform/search/search.js';
import { startMeilisearchQueue, type MeilisearchQueue } from './meilisearchQueue.js';

const index: SearchIndex = {
  name: 'films',
  groups: { film: { fields: ['title', 'description'], weight: 1 } },
  filters: ['ownerId'],
  sorts: ['title'],
  publicDocuments: 'all',
};
const batchSize = 1000;

describe('a rebuild of an index of a million documents in Meilisearch', function () {
  this.timeout(600_000);
  let server: MeilisearchQueue;

  before(async () => {
    server = await startMeilisearchQueue(20);
  });
  after(() => server?.close());

  it('sends batches, reads no rows while five of them wait, and swaps once', async () => {
    const engine = createMeilisearchEngine({ url: server.url, apiKey: '', indexPrefix: '' });
    await engine.prepare([index]);
    await engine.write(index, documentsFrom(0), []);
    let most = { waiting: 0, heapBytes: 0 };
    async function* documents(): AsyncGenerator<readonly SearchDocument[]> {
      for (let batch = 0; batch < 1000; batch += 1) {
        expect(server.count('films'), 'the index in use during the rebuild').to.equal(batchSize);
        const waiting = batch - server.count('films_next') / batchSize;
        const { heapUsed } = process.memoryUsage();
        most = { waiting: Math.max(most.waiting, waiting), heapBytes: Math.max(most.heapBytes, heapUsed) };
        yield documentsFrom(batch * batchSize);
      }
    }
    await engine.rebuild(index, documents());
    expect(server.count('films')).to.equal(1_000_000);
    expect(server.count('films_next')).to.equal(0);
    expect(server.seen).to.include({ swaps: 1, documentTasks: 1001 });
    expect(server.seen.maxWaiting).to.be.within(2, 5);
    expect(most.waiting).to.be.at.most(5);
    expect(most.heapBytes).to.be.below(1024 ** 3);
    expect(server.seen.polls, 'polls of a task').to.be.below(20 * 1001);
  });
});

function documentsFrom(first: number): SearchDocument[] {
  return Array.from({ length: batchSize }, (_, position) => {
    const number = String(first + position).padStart(7, '0');
    return { id: `film-${number}`, title: `Film ${number}`, description: 'About a river', ownerId: `owner-${number}` };
  });
}
