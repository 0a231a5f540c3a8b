import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { startTestDatabase, type TestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { startApi, type TestApi } from '../support/api.js';
import { openBrowser } from '../support/browser.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { accessibilityFaults, permitsAxe, withPage } from '../support/playerPage.js';
import { describeWith, requirements } from '../support/requirements.js';
import { openStudio } from '../integration/live/studio.js';

/** How long the database is away: as long as a first page needs, and less than the first pause before the next try. */
const awayMs = 4_000;

describeWith(requirements.chromium, 'errors in a browser', function () {
  this.timeout(90_000);
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let database: TestDatabase;
  let ctx: TestContext;
  let api: TestApi;
  const faults: string[] = [];

  before(async () => {
    browser = await openBrowser();
    database = await startTestDatabase();
    ctx = await openTestContext({}, { databaseServer: database.url });
    api = await startApi(ctx);
  });

  after(async () => {
    await browser?.close();
    await api?.close();
    await ctx?.close();
    await database?.stop();
  });

  afterEach(() => expect(faults.splice(0)).to.deep.equal([]));

  it('in a frame of another site without scripts, the page of an event appears by itself when the database is back', async () => {
    const studio = await openStudio({ ctx, api });
    const { eventId } = await studio.event(5, 30, { name: 'Descent' });
    const frame = `<iframe src="${api.url}/embed/?event=${eventId}" width="360" height="203"></iframe>`;
    const elsewhere = createServer((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end(frame),
    ).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const url = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`;
    const back = database.restart(awayMs);
    try {
      await withPage(browser, { url, options: { locale: 'it-IT', javaScriptEnabled: false }, faults }, async (page) => {
        const shown = page.frameLocator('iframe');
        await shown.getByText('Questa pagina riprova automaticamente.').waitFor();
        await back;
        await shown.locator('h1', { hasText: 'Descent' }).waitFor({ state: 'attached', timeout: 30_000 });
      });
    } finally {
      await back;
      elsewhere.close();
      elsewhere.closeAllConnections();
    }
  });

  it('an unknown address leads to the start page, and has no fault of accessibility', async () => {
    const options = { ...permitsAxe, locale: 'fr-CH', viewport: { width: 360, height: 640 } };
    await withPage(browser, { url: `${api.url}/nothing`, options, faults }, async (page) => {
      expect(await page.title()).to.equal('Il n’y a rien ici');
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      const [start] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('link', { name: 'Vers la page d’accueil' }).click(),
      ]);
      await start.getByText('Service de plateforme vidéo').waitFor();
    });
  });
});
