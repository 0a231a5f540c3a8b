import { expect } from 'chai';
import { startTestDatabase } from '../../scripts/embedded/embeddedDatabase.js';
import { browserFixture, onAnotherSite } from '../support/browser.js';
import { useFixture, openService } from '../support/fixtures.js';
import { accessibilityFaults, permitsAxe, withPage } from '../support/playerPage.js';
import { describeWith, requirements } from '../support/requirements.js';
import { openStudio } from '../integration/live/studio.js';

/** Duration of the database outage: long enough for a first page, and shorter than the first pause before a retry. */
const awayMs = 4_000;

describeWith(requirements.chromium, 'an error page in a browser', function () {
  this.timeout(90_000);
  const { browser, faults } = browserFixture();
  const database = useFixture(startTestDatabase, (server) => server.stop());
  const service = useFixture(() => openService({}, { databaseServer: database.url }));

  it('reloads an event page after a database outage, even in a cross-site frame without scripts', async () => {
    const studio = await openStudio(service);
    const { eventId } = await studio.event(5, 30, { name: 'Descent' });
    const frame = `<iframe src="${service.api.url}/embed/?event=${eventId}" width="360" height="203"></iframe>`;
    const options = { locale: 'it-IT', javaScriptEnabled: false };
    await onAnotherSite(frame, async (url) => {
      const back = database.restart(awayMs);
      try {
        await withPage(browser, { url, options, faults }, async (page) => {
          const shown = page.frameLocator('iframe');
          await shown.getByText('Questa pagina riprova automaticamente.').waitFor();
          await back;
          await shown.locator('h1', { hasText: 'Descent' }).waitFor({ state: 'attached', timeout: 30_000 });
        });
      } finally {
        await back;
      }
    });
  });

  it('links an unknown address to the start page and is accessible', async () => {
    const options = { ...permitsAxe, locale: 'fr-CH', viewport: { width: 360, height: 640 } };
    await withPage(browser, { url: `${service.api.url}/nothing`, options, faults }, async (page) => {
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
