import { EngineHarness, catalogue, type OpenEngine } from './engineHarness.js';
import { filtersContract } from './filters.js';
import { pagesContract } from './pages.js';
import { wordsContract } from './words.js';
import { writingContract } from './writing.js';

/**
 * The required behavior of both engines (`shared/platform/search/search.ts`). `open` resolves with an empty engine for the test
 * with this title; `finish` closes the shared resources.
 */
export function searchEngineContract(
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
