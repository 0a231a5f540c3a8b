import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { registerUser, startApi, type TestApi } from '../support/api.js';
import { openBrowser } from '../support/browser.js';
import { readyClip } from '../support/clips.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import {
  accessibilityFaults,
  look,
  moveTo,
  playing,
  shortBuffer,
  tabStops,
  withPage,
  type See,
  type Sight,
} from '../support/playerPage.js';

const clipSeconds = 26;
/** Each frame is decoded and drawn by the processor. */
const framesPerSecond = 12;

/** axe-core tries out styles that the content security policy of the page blocks. */
const permitsAxe = { bypassCSP: true };

/** A video with audio that was processed by the whole service, and the pages that play it. */
describe('player page in a browser', function () {
  this.timeout(120_000);
  let browser: Browser | null;
  let ctx: TestContext;
  let api: TestApi;
  let address: string;
  let vodId: string;
  const faults: string[] = [];

  before(async function () {
    browser = await openBrowser();
    if (!browser) return this.skip();
    ctx = await openTestContext();
    api = await startApi(ctx);
    vodId = await publishClip();
    address = `${api.url}/embed/?vod=${vodId}`;
  });

  after(async () => {
    await browser?.close();
    await api?.close();
    await ctx?.close();
  });

  afterEach(() => expect(faults.splice(0)).to.deep.equal([]));

  async function publishClip(): Promise<string> {
    const user = await registerUser(api);
    const boxId = await readyClip(ctx, api, user, {
      size: '854x480',
      seconds: clipSeconds,
      rate: String(framesPerSecond),
      title: 'Test <clip> & more',
    });
    const published = await api.call('POST', `/api/box/${boxId}/vod`, {
      token: user.token,
      body: { licenseType: 'FREE' },
    });
    return published.body.vodId;
  }

  const open = (work: (page: Page, see: See) => Promise<void>, options: BrowserContextOptions = {}) =>
    withPage(browser!, { url: address, options, faults }, work);

  it('plays in real time, with video and audio, for more than five seconds', async () => {
    await open(async (page, see) => {
      expect(await page.title()).to.equal('Test <clip> & more');
      await eventually(async () =>
        expect((await see()).levels.toSorted((a, b) => a - b)).to.deep.equal([240, 360, 480]),
      );
      await page.getByRole('button', { name: 'Play' }).first().click();
      const first = await playing(see);
      const begun = performance.now();
      const last = await eventually(
        async () => {
          const sight = await see();
          expect(sight.at - first.at).to.be.above(5.5);
          return sight;
        },
        { timeoutMs: 30_000 },
      );
      const wallSeconds = (performance.now() - begun) / 1000;
      expect(wallSeconds).to.be.above(5);
      expect(last.frames - first.frames).to.be.above(framesPerSecond * 4);
      expect(last.duration).to.be.closeTo(clipSeconds, 0.2);
      const audioBytes = await page.evaluate<number>(`document.querySelector('video').webkitAudioDecodedByteCount`);
      expect(audioBytes).to.be.above(1000);
    });
  });

  it('loads no segment before the user starts playback', async () => {
    await open(async (page, see) => {
      const asked: string[] = [];
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.reload({ waitUntil: 'networkidle' });
      expect((await see()).levels).to.have.lengthOf(3);
      expect(asked.filter((path) => /\.(m4s|mp4)$/.test(path))).to.deep.equal([]);
    });
  });

  it('switches to the selected rendition, and continues', async () => {
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see);
      for (const lines of [240, 480]) {
        await page.getByRole('button', { name: 'Quality' }).click();
        await page.getByRole('menuitemradio', { name: `${lines}p`, exact: true }).click();
        const switched = await eventually(
          async () => {
            const sight = await see();
            expect(sight.lines).to.equal(lines);
            return sight;
          },
          { timeoutMs: 25_000 },
        );
        await playing(see, switched.at + 0.3);
      }
    });
  });

  it('seeks forward beyond what is loaded, and back, and continues', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      await page.evaluate(shortBuffer);
      await page.keyboard.press('k');
      await playing(see);
      await moveTo(page, 20);
      const forth = await playing(see, 20.3);
      expect(forth.at).to.be.below(24);
      await moveTo(page, 2);
      await eventually(async () => expect((await see()).at).to.be.below(5));
      await playing(see, 2.3);
    });
  });

  it('ends, and can be started again', async () => {
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see);
      await page.keyboard.press('End');
      await eventually(async () => expect((await see()).state).to.equal('fresh'), { timeoutMs: 20_000 });
      await page.keyboard.press('Space');
      expect((await playing(see)).at).to.be.below(5);
    });
  });

  it('can be used by keyboard alone', async () => {
    await open(async (page, see) => {
      expect(await tabStops(page, 2)).to.deep.equal(['Video player', 'Play']);
      await page.keyboard.press('Enter');
      const started = await playing(see);
      await page.keyboard.press('ArrowRight');
      await playing(see, started.at + 4.5);
      await page.keyboard.press('Space');
      await eventually(async () => expect((await see()).paused).to.equal(true));
      await page.keyboard.press('Home');
      await eventually(async () => expect((await see()).at).to.equal(0));
      await page.keyboard.press('m');
      await eventually(async () => expect((await see()).muted).to.equal(true));
      await page.getByRole('button', { name: 'Unmute' }).waitFor();
      await page.keyboard.press('m');
      await page.getByRole('button', { name: 'Mute' }).waitFor();
      await page.keyboard.press('ArrowDown');
      await eventually(async () => expect((await see()).volume).to.be.closeTo(0.9, 0.001));
      await page.keyboard.press('5');
      await eventually(async () => expect((await see()).at).to.be.closeTo(clipSeconds / 2, 0.1));
      const reached = await tabStops(page, 8);
      expect(reached).to.include.members(['Position', 'Play', 'Mute', 'Volume']);
      expect(reached.slice(-4)).to.deep.equal(['Speed 1x', 'Quality', 'Picture in picture', 'Full screen']);
    });
  });

  it('shows the keys, from which the focus does not leave, in the language of the viewer', async () => {
    await open(
      async (page, see) => {
        await page.keyboard.press('?');
        const dialog = page.getByRole('dialog', { name: 'Scorciatoie da tastiera' });
        await dialog.waitFor();
        expect(await dialog.locator('dl > div').count()).to.equal(14);
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        const isInside = `document.querySelector('dialog').contains(document.activeElement) || document.activeElement === document.body`;
        for (let strokes = 0; strokes < 4; strokes++) {
          await page.keyboard.press('Tab');
          expect(await page.evaluate(isInside)).to.equal(true);
        }
        await page.keyboard.press('7');
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'hidden' });
        expect((await see()).at).to.equal(0);
        await page.keyboard.press('Space');
        await playing(see);
      },
      { locale: 'it-IT', ...permitsAxe },
    );
  });

  it('plays at the speed that the viewer selects, and is accessible with its menus', async () => {
    await open(async (page, see) => {
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.keyboard.press('Space');
      await playing(see);
      await page.getByRole('button', { name: 'Speed 1x' }).click();
      await page.getByRole('menuitemradio', { name: '1.5x' }).waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.getByRole('menuitemradio', { name: '1.5x' }).click();
      await eventually(async () =>
        expect(await page.evaluate(`document.querySelector('video').playbackRate`)).to.equal(1.5),
      );
      await page.getByRole('button', { name: 'Speed 1.5x' }).waitFor();
    }, permitsAxe);
  });

  it('begins as its address asks, and ignores what it does not understand', async () => {
    const openAt = (query: string, work: (page: Page, see: See) => Promise<void>) =>
      withPage(browser!, { url: `${address}&${query}`, options: {}, faults }, work);
    await openAt('t=20s&autoplay=1&muted=1&loop=1', async (page, see) => {
      const begun = await playing(see, 20);
      expect([begun.muted, begun.at < 24]).to.deep.equal([true, true]);
      await page.keyboard.press('End');
      await eventually(async () => expect((await see()).at).to.be.within(0.1, 10), { timeoutMs: 20_000 });
      await playing(see);
    });
    await openAt('t=99m&autoplay=perhaps&muted=-&loop=2', async (page, see) => {
      await page.keyboard.press('Space');
      const begun = await playing(see);
      expect([begun.muted, begun.at < 5]).to.deep.equal([false, true]);
      expect(await page.evaluate(`document.querySelector('video').loop`)).to.equal(false);
    });
  });

  it('plays by touch on a phone, within the screen', async () => {
    const phone = {
      viewport: { width: 390, height: 780 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
      locale: 'it-IT',
    };
    await open(async (page, see) => {
      await page.getByRole('button', { name: 'Riproduci' }).first().tap();
      await playing(see, 0.5);
      expect(await page.evaluate(`document.querySelector('video').playsInline`)).to.equal(true);
      expect(await page.evaluate(`document.documentElement.scrollWidth`)).to.equal(390);
      for (const button of await page.locator('.row [role=button]:visible').all()) {
        const box = await button.boundingBox();
        expect(box?.width).to.be.at.least(44);
        expect((box?.x ?? 0) + (box?.width ?? 0)).to.be.at.most(390);
      }
    }, phone);
  });

  it('continues at the same position with a new address when its address has expired', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      await page.evaluate(shortBuffer);
      await page.keyboard.press('Space');
      await playing(see, 0.5);
      ctx.clock.advance(3_600_000);
      await moveTo(page, 17);
      expect((await playing(see, 17.2)).at).to.be.below(22);
    });
  });

  it('starts with a new address when its address expired before playback', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      ctx.clock.advance(3_600_000);
      await page.keyboard.press('Space');
      expect((await playing(see, 0.3)).at).to.be.below(5);
    });
  });

  it('shows a message when the video was deleted', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      await ctx.db.change('UPDATE vod_items SET id = gen_random_uuid()');
      ctx.clock.advance(3_600_000);
      await page.keyboard.press('Space');
      await page.getByRole('heading', { name: 'This video is not available' }).waitFor();
      await ctx.db.change('UPDATE vod_items SET id = $vodId', { vodId });
    });
  });

  it('shows a message when the service is down', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      await page.route('**/s/**', (route) => route.abort());
      await page.keyboard.press('Space');
      await eventually(async () => expect((await see()).notice).to.match(/could not be loaded.*Try again/s), {
        timeoutMs: 40_000,
      });
    });
  });

  it('plays inside a frame of another site', async () => {
    const body = `<iframe src="${address}" allow="autoplay; fullscreen" width="640" height="360"></iframe>`;
    const elsewhere = createServer((_request, response) =>
      response.setHeader('Content-Type', 'text/html').end(body),
    ).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const context = await browser!.newContext();
    try {
      const page = await context.newPage();
      await page.goto(`http://localhost:${(elsewhere.address() as AddressInfo).port}/`);
      await page.frameLocator('iframe').locator('.start').click();
      await playing(() => page.frames()[1]!.evaluate<Sight>(look), 0.5);
    } finally {
      await context.close();
      elsewhere.close();
      elsewhere.closeAllConnections();
    }
  });
});
