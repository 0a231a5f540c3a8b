import { openDatabase } from '../../shared/platform/database/openDatabase.js';
import type { Database } from '../../shared/platform/database/database.js';
import { SearchFence } from '../../shared/platform/search/search.model.js';
import { createMeilisearchEngine } from '../../shared/platform/search/meilisearch/meilisearchEngine.js';
import { createPostgresEngine } from '../../shared/platform/search/postgres/postgresEngine.js';
import { createTestDatabase } from '../support/database.js';
import { projectFile } from '../support/projectFile.js';
import { record, replay, type ExchangeServer } from './search/exchanges.js';
import { EngineHarness, catalogue, type OpenEngine } from './search/engineHarness.js';
import { filtersContract, pagesContract } from './search/queries.js';
import { wordsContract } from './search/words.js';
import { writingContract } from './search/writing.js';

const meiliUrl = process.env['MEILI_URL'];
const apiKey = process.env['MEILI_API_KEY'] ?? '';
const recording = process.env['MEILI_RECORD'] === '1' && meiliUrl !== undefined;
const indexPrefix = 'contract_';

/** The recording of the test with this title. `MEILI_RECORD=1` records it from the real server at `MEILI_URL`. */
function recordingOf(title: string): string {
  const name = title
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
  return projectFile(`test/contract/recordings/meilisearch/${name}.json`);
}

/** One database for all tests, emptied before each. */
function postgresSuite(): { open: () => Promise<OpenEngine>; finish: () => Promise<void> } {
  let opened: { db: Database; close: () => Promise<void> } | undefined;
  return {
    async open() {
      if (!opened) {
        const { url, close } = await createTestDatabase();
        opened = { db: openDatabase({ url, poolSize: 4, models: [SearchFence] }), close };
      }
      await opened.db.rows('DROP TABLE IF EXISTS search_documents_catalogue, search_documents_catalogue_next');
      await opened.db.rows('TRUNCATE search_words, search_typo_keys');
      return { engine: createPostgresEngine(opened.db), live: true, close: async () => {} };
    },
    async finish() {
      await opened?.db.close();
      await opened?.close();
    },
  };
}

async function openRealMeilisearch(): Promise<OpenEngine> {
  await emptyServer();
  return {
    engine: createMeilisearchEngine({ url: meiliUrl ?? '', apiKey, indexPrefix }),
    live: true,
    close: async () => {},
  };
}

async function openRecordedMeilisearch(title: string): Promise<OpenEngine> {
  if (recording) await emptyServer();
  const server: ExchangeServer = recording
    ? await record(recordingOf(title), meiliUrl ?? '', apiKey)
    : await replay(recordingOf(title));
  const engine = createMeilisearchEngine({ url: server.url, apiKey: 'a-key', indexPrefix });
  return { engine, live: false, close: () => server.close() };
}

/** Removes the test indexes from the real server. */
async function emptyServer(): Promise<void> {
  const call = async (method: string, path: string) => {
    const response = await fetch(new URL(path, meiliUrl), { method, headers: { authorization: `Bearer ${apiKey}` } });
    return (await response.json()) as { taskUid?: number; status?: string; results?: { uid: string }[] };
  };
  const { results = [] } = await call('GET', '/indexes?limit=1000');
  for (const { uid } of results.filter((index) => index.uid.startsWith(indexPrefix))) {
    const { taskUid } = await call('DELETE', `/indexes/${uid}`);
    for (;;) {
      const { status } = await call('GET', `/tasks/${taskUid}`);
      if (status === 'succeeded' || status === 'failed') break;
    }
  }
}

/**
 * The required behavior of both engines (`shared/platform/search/search.ts`). `open` resolves with an empty engine for the test
 * with this title; `finish` closes the shared resources.
 */
function searchEngineContract(
  name: string,
  open: (title: string) => Promise<OpenEngine>,
  finish: () => Promise<void> = async () => {},
): void {
  describe(`search engine: ${name}`, () => {
    let opened: OpenEngine | undefined;
    const harness = new EngineHarness(() => {
      if (!opened) throw new Error('no engine is open');
      return opened;
    });

    beforeEach(async function openEngine() {
      opened = await open(this.currentTest?.title ?? '');
      await opened.engine.prepare([catalogue]);
    });

    afterEach(async () => {
      await opened?.close();
      opened = undefined;
    });

    after(finish);

    wordsContract(harness);
    filtersContract(harness);
    pagesContract(harness);
    writingContract(harness);
  });
}

const postgres = postgresSuite();
searchEngineContract('PostgreSQL', postgres.open, postgres.finish);
searchEngineContract('Meilisearch (recorded)', openRecordedMeilisearch);
if (meiliUrl && !recording) searchEngineContract('Meilisearch (real)', openRealMeilisearch);
