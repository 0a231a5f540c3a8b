import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { startApi, type TestApi } from '../support/api.js';
import { browserFixture } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { openPaymentHarness, type PaymentHarness } from '../support/paymentHarness.js';
import { capturesOf } from '../support/payments.js';
import { describeWith, requirements } from '../support/requirements.js';

/** The payment page in a browser; the shop is on another site. */
describeWith(requirements.chromium, 'the sandbox checkout in a browser', function () {
  this.timeout(60_000);
  const { browser, faults } = browserFixture();
  let harness: PaymentHarness;
  let api: TestApi;
  let shop: Server;
  /** The return addresses that browsers have opened. */
  let visits: string[];

  before(async () => {
    harness = await openPaymentHarness();
    api = await startApi(harness.ctx);
    shop = createServer((request, response) => {
      if (request.url !== '/favicon.ico') visits.push(request.url ?? '');
      response.setHeader('Content-Type', 'text/html').end('<title>Shop</title>');
    }).listen(0);
    await once(shop, 'listening');
  });
  after(async () => {
    shop?.close();
    await api?.close();
    await harness?.close();
  });
  beforeEach(() => {
    visits = [];
  });
  async function open(
    work: (page: Page, trackingId: string) => Promise<void>,
    options: BrowserContextOptions = {},
  ): Promise<void> {
    const origin = `http://localhost:${(shop.address() as AddressInfo).port}`;
    const { trackingId, url } = await harness.start({
      title: 'A video with quite a long name, as videos have them, and Donaudampfschifffahrtsgesellschaftskapitän',
      returnUrl: `${origin}/paid?order=1&note=%C3%A9`,
      cancelUrl: `${origin}/cancelled`,
    });
    const context = await browser.newContext(options);
    const page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(error.message));
    try {
      await page.goto(api.url + new URL(url).pathname);
      await work(page, trackingId);
    } finally {
      await context.close();
    }
  }
  const outcomeOf = (trackingId: string) => harness.settle(trackingId);
  /** The second of two clicks aborts the navigation of the first, which `waitForURL` reports as a failure. */
  const arrive = (page: Page) => eventually(() => expect(page.url()).to.match(/localhost/));

  it('accepts a payment by keyboard alone and redirects to the exact return address', async () => {
    await open(async (page, trackingId) => {
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.value')).to.equal('pay');
      await page.keyboard.press('Enter');
      await arrive(page);
      expect(visits).to.deep.equal(['/paid?order=1&note=%C3%A9']);
      expect(await outcomeOf(trackingId)).to.equal('FULFILLED');
    });
  });

  it('fits a small phone and pays once for a double tap', async () => {
    const phone = { viewport: { width: 320, height: 568 }, hasTouch: true, isMobile: true };
    await open(async (page, trackingId) => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).to.equal(320);
      const pay = page.locator('button[value=pay]');
      const box = await pay.boundingBox();
      expect(box?.height).to.be.at.least(44);
      expect((box?.y ?? 1000) + (box?.height ?? 0)).to.be.below(568);
      await pay.dblclick();
      await arrive(page);
      expect(await outcomeOf(trackingId)).to.equal('FULFILLED');
      expect(await capturesOf(harness.ctx, trackingId)).to.equal(1);
    }, phone);
  });

  it('redirects on cancellation', async () => {
    await open(async (page, trackingId) => {
      await page.locator('button[value=reject]').click();
      await arrive(page);
      expect(visits).to.deep.equal(['/cancelled']);
      expect(await outcomeOf(trackingId)).to.equal('REJECTED');
    });
  });

  it('simulates payment errors and shows the payment state to a returning buyer', async () => {
    await open(async (page, trackingId) => {
      const address = page.url();
      await page.locator('summary').press('Enter');
      await page.locator('input[value=WRONG_AMOUNT]').check();
      await page.locator('button[value=pay]').click();
      await arrive(page);
      expect(await outcomeOf(trackingId)).to.equal('FAILED');
      await page.goto(address);
      expect(
        await page.locator('button').evaluateAll((all) => all.map((one) => one.getAttribute('value'))),
      ).to.deep.equal(['refund']);
      expect(await page.locator('.note').innerText()).to.not.equal('');
      await page.locator('a.button').click();
      await arrive(page);
      expect(visits).to.have.length(2);
      await page.goto(address);
      await page.locator('button[value=refund]').click();
      await page.locator('.note', { hasText: 'was refunded' }).waitFor();
      expect(await page.locator('button').count()).to.equal(0);
    });
  });
});
