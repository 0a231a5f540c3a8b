import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startApi, type TestApi, type TestUser, registerSeller } from '../support/api.js';
import { browserFixture, onAnotherSite } from '../support/browser.js';
import { readyClip } from '../support/mediaFixture.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { playing, withPage, type See } from '../support/playerPage.js';
import { freePort } from '../support/deployment.js';
import { describeWith, requirements } from '../support/requirements.js';

const clipSeconds = 18;

/** The player page of a pay-per-view video: preview, checkout, and return. */
describeWith(requirements.chromium, 'a paid video in a browser', function () {
  this.timeout(120_000);
  const { browser, faults } = browserFixture();
  let ctx: TestContext;
  let api: TestApi;
  let seller: TestUser;
  let vodId: string;
  let address: string;

  before(async () => {
    const port = await freePort();
    ctx = await openTestContext({ PUBLIC_URL: `http://127.0.0.1:${port}` });
    api = await startApi(ctx, port);
    seller = await registerSeller(api);
    const boxId = await readyClip(ctx, api, seller, {
      size: '320x180',
      seconds: clipSeconds,
      rate: '10',
      title: 'Snow',
    });
    const body = { licenseType: 'PAY_PER_VIEW', pricePerView: '4,00' };
    vodId = (await api.call('POST', `/api/box/${boxId}/vod`, { token: seller.token, body })).body.vodId;
    address = `${api.url}/embed/?vod=${vodId}`;
  });

  after(async () => {
    await api?.close();
    await ctx?.close();
  });

  const open = (work: (page: Page, see: See) => Promise<void>, options: BrowserContextOptions = {}, url = address) =>
    withPage(browser, { url, options, faults }, work);
  const payButton = (page: Page) => page.getByRole('button', { name: 'Pay €4.00' });
  /** Expects the complete video, on a page whose address plays nothing for others. */
  async function playsWhole(page: Page, see: See): Promise<void> {
    await page.locator(`#player[data-renew*=trackingId]`).waitFor({ timeout: 20_000 });
    await page.waitForURL(address);
    await page.getByRole('button', { name: 'Play' }).first().click();
    expect((await playing(see)).duration).to.be.closeTo(clipSeconds, 1);
  }

  it('plays the preview, leads from the price to the checkout and back, and then plays the complete video', async () => {
    await open(async (page, see) => {
      await page.getByRole('button', { name: 'Watch the preview' }).click();
      const sight = await playing(see);
      expect(sight.duration).to.be.within(13, 15.1);
      await page.evaluate(`document.querySelector('video').currentTime = 14`);
      await page.getByText('requires a payment').waitFor({ timeout: 20_000 });
      await payButton(page).dblclick();
      await page.locator('button[value=pay]').click();
      await playsWhole(page, see);
      expect(await payButton(page).count()).to.equal(0);
      await page.reload();
      await playsWhole(page, see);
      // The page's original address also plays in the browser that has paid.
      await page.goto(address);
      await playsWhole(page, see);
    });
    expect(await paymentsStarted()).to.equal(1);
  });

  it('plays again after a reload if the browser permits no storage', async () => {
    await open(async (page, see) => {
      await page.addInitScript(
        `Object.defineProperty(window, 'localStorage', { get() { throw new Error('not permitted'); } })`,
      );
      await page.reload();
      await payButton(page).click();
      await page.locator('button[value=pay]').click();
      await playsWhole(page, see);
      await page.reload();
      await playsWhole(page, see);
    });
  });

  it('waits for an unconfirmed payment and plays when it is confirmed', async () => {
    await open(async (page, see) => {
      await payButton(page).click();
      await page.locator('button[value=later]').click();
      await page.getByText('Waiting for the payment').waitFor();
      expect(await payButton(page).isVisible()).to.equal(false);
      ctx.clock.advance(61_000);
      await page.getByRole('button', { name: 'Watch the preview' }).waitFor({ state: 'detached', timeout: 20_000 });
      await playsWhole(page, see);
    });
  });

  it('reports a cancelled payment, can start another one, and returns to the price with the back button', async () => {
    await open(async (page) => {
      await payButton(page).click();
      await page.locator('button[value=pay]').waitFor();
      await page.goBack();
      await payButton(page).click();
      await page.locator('button[value=reject]').click();
      await page.getByText('was cancelled').waitFor();
      await payButton(page).click();
      await page.locator('button[value=pay]').waitFor();
    });
  });

  it('opens the checkout in a separate window if the page is in a cross-site frame', async () => {
    const body = `<iframe src="${address}" width="640" height="360"></iframe>
      <iframe src="${address}" width="640" height="360" sandbox="allow-scripts allow-same-origin"></iframe>`;
    await onAnotherSite(body, (url) =>
      withPage(browser, { url, options: {}, faults: [] }, async (page) => {
        const frame = page.frameLocator('iframe').first();
        const withoutWindows = page.frameLocator('iframe').last();
        await withoutWindows.getByRole('button', { name: 'Pay' }).click();
        await withoutWindows.getByText('The browser has blocked the window').waitFor();
        const [checkout] = await Promise.all([
          page.waitForEvent('popup'),
          frame.getByRole('button', { name: 'Pay' }).click(),
        ]);
        await checkout.locator('button[value=pay]').click();
        await frame.getByRole('button', { name: 'Pay' }).waitFor({ state: 'detached', timeout: 20_000 });
        await frame.getByRole('button', { name: 'Play' }).first().waitFor();
      }),
    );
  });

  async function paymentsStarted(): Promise<number> {
    const rows = await ctx.db.rows<{ count: number }>(
      'SELECT count(*)::int AS count FROM payments WHERE item_id = $vodId',
      {
        vodId,
      },
    );
    return rows[0]?.count ?? 0;
  }
});
