import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { pino } from 'pino';
import { meilisearchFilterValue } from '../../../shared/platform/search/meilisearch/documents.js';
import { createMeilisearchEngine } from '../../../shared/platform/search/meilisearch/meilisearchEngine.js';
import { filterExpressions } from '../../../shared/platform/search/meilisearch/query.js';
import { defineIndex } from '../../../shared/platform/search/indexDefinition.js';

const index = defineIndex({
  name: 'some',
  madeFrom: {},
  document: async () => [],
  ids: async () => [],
  groups: { content: { fields: ['title'], weight: 1 } },
  filters: ['tags'],
  sorts: [],
  publicDocuments: 'all',
});

describe('Meilisearch filters', () => {
  it('keep any text inside its quotation marks', () =>
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        const [expression] = filterExpressions({ tags: { equal: text } });
        expect(expression).to.match(/^filter_tags = "[^"\\']*"$/s);
      }),
    ));

  it('differ for different texts, except for case and outer spaces', () => {
    const same = (text: string) => text.trim().normalize('NFKD').toLowerCase();
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary', maxLength: 20 }),
        fc.string({ unit: 'binary', maxLength: 20 }),
        (one, other) => {
          expect(meilisearchFilterValue(one) === meilisearchFilterValue(other)).to.equal(same(one) === same(other));
        },
      ),
    );
    const long = 'x'.repeat(1000);
    expect(meilisearchFilterValue(long)).not.to.equal(meilisearchFilterValue(`${long}y`));
    expect(String(meilisearchFilterValue(long)).length).to.be.lessThan(100);
  });
});

describe('Meilisearch key', () => {
  let server: Server | undefined;

  afterEach(() => {
    server?.closeAllConnections();
    server?.close();
  });

  it('appears in no error and no log line', async () => {
    const key = 'the-very-secret-key';
    const seen: unknown[] = [];
    server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/version')
        response
          .writeHead(403, { 'content-type': 'application/json' })
          .end('{"message":"no","code":"invalid_api_key"}');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const lines: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
    const failing = async (url: string, work: 'check' | 'search') => {
      const engine = createMeilisearchEngine({ url, apiKey: key, indexPrefix: '', callTimeoutMs: 1000 });
      const query = {
        text: 'x',
        groups: ['content'],
        filters: {},
        sort: [],
        page: { pageSize: 1, pageIndex: 0, pagination: true },
      };
      const error: unknown = await (work === 'check' ? engine.check() : engine.search(index, query)).then(
        () => null,
        (reason: unknown) => reason,
      );
      expect(error).to.be.instanceOf(Error);
      log.error({ err: error, cause: (error as Error).cause }, 'failed');
    };
    await failing(`http://127.0.0.1:${port}`, 'check');
    await failing(`http://127.0.0.1:${port}`, 'search');
    await failing('http://127.0.0.1:1', 'check');
    expect(seen).to.deep.equal([`Bearer ${key}`, `Bearer ${key}`]);
    expect(lines).to.have.length(3);
    expect(lines.join('')).not.to.contain(key);
  });
});
