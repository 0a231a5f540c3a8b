import { expect } from 'chai';
import { registerUser } from '../support/api.js';
import { browserFixture, onAnotherSite } from '../support/browser.js';
import { publishFree, readyClip } from '../support/mediaFixture.js';
import { eventually } from '../support/eventually.js';
import { testControls, type OpenPlayer } from './playerControls.js';
import { look, moveTo, playing, shortBuffer, watchSegments, withPage, type Sight } from '../support/playerPage.js';
import { VodItem } from '../../shared/vod/vod.model.js';
import { changeRows } from '../support/rows.js';
import { describeWith, requirements } from '../support/requirements.js';
import { serviceFixture } from '../support/fixtures.js';

const clipSeconds = 26;
/** The processor decodes and draws each frame. */
const framesPerSecond = 12;

/** Evaluated in the page: collects the heights of the shown frames. */
const watchHeights = `(() => {
  const video = document.querySelector('video');
  window.heights = [];
  const note = (_now, { height }) => {
    if (heights.at(-1) !== height) heights.push(height);
    video.requestVideoFrameCallback(note);
  };
  video.requestVideoFrameCallback(note);
})()`;

/** A video with audio that was processed by the whole service, and the pages that play it. */
describeWith(requirements.chromium, 'the player page in a browser', function () {
  this.timeout(120_000);
  const { browser, faults } = browserFixture();
  const { ctx, api } = serviceFixture({});
  let address: string;

  before(async () => {
    const user = await registerUser(api);
    const coding = { size: '854x480', seconds: clipSeconds, rate: String(framesPerSecond) };
    const boxId = await readyClip(ctx, api, user, { ...coding, title: 'Test <clip> & more' });
    address = await publishFree(api, user, boxId);
  });

  const open: OpenPlayer = (work, options = {}, query = '') =>
    withPage(browser, { url: address + query, options, faults }, work);

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
      // On a slow machine, the page may load nothing for a while before its scripts run.
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      await page.waitForLoadState('networkidle');
      expect(asked.filter((path) => /\.(m4s|mp4)$/.test(path))).to.deep.equal([]);
    });
  });

  it('starts in the best quality for the bandwidth that the last playback has measured', async () => {
    await open(
      async (page, see) => {
        const begin = async (): Promise<readonly number[]> => {
          await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
          await page.evaluate(watchHeights);
          await page.keyboard.press('Space');
          await playing(see);
          return page.evaluate<number[]>('window.heights');
        };
        expect(await begin()).to.deep.equal([480]);
        const kept = () => page.evaluate<string>(`localStorage.getItem('bandwidth')`);
        await eventually(async () => expect(await kept()).to.match(/^\d{6,} \d{13}$/));
        await page.addInitScript(`localStorage.setItem('bandwidth', '300000 ' + Date.now())`);
        await page.reload();
        expect((await begin())[0]).to.equal(240);
      },
      { viewport: { width: 1280, height: 720 } },
    );
  });

  it('aborts a slow first segment if the bandwidth has decreased', async () => {
    await open(
      async (page, see) => {
        await page.evaluate(`localStorage.setItem('bandwidth', '100000000 ' + Date.now())`);
        await page.reload();
        await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
        const session = await page.context().newCDPSession(page);
        await session.send('Network.enable');
        const bytesPerSecond = 40_000;
        const limits = { downloadThroughput: bytesPerSecond, uploadThroughput: bytesPerSecond };
        await session.send('Network.emulateNetworkConditions', { offline: false, latency: 20, ...limits });
        await page.evaluate(watchHeights);
        await page.evaluate(watchSegments);
        const begun = performance.now();
        await page.keyboard.press('Space');
        await playing(see, 0, 40);
        const takenSeconds = (performance.now() - begun) / 1000;
        const [first] =
          await page.evaluate<{ height: number; bytes: number; isAborted: boolean }[]>('window.segments()');
        expect(first).to.include({ height: 480, isAborted: true });
        expect(takenSeconds).to.be.below(first!.bytes / bytesPerSecond);
        expect((await page.evaluate<number[]>('window.heights'))[0]).to.equal(240);
      },
      { viewport: { width: 1280, height: 720 } },
    );
  });

  it('switches to the selected rendition and continues', async () => {
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

  it('seeks forward beyond the loaded range and back, and continues', async () => {
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

  it('ends and can be restarted', async () => {
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see);
      await page.keyboard.press('End');
      await eventually(async () => expect((await see()).state).to.equal('fresh'), { timeoutMs: 20_000 });
      await page.keyboard.press('Space');
      expect((await playing(see)).at).to.be.below(5);
    });
  });

  testControls(open, clipSeconds);

  it('plays on touch on a phone and fits the screen', async () => {
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

  it('starts with a new address if its address has expired before playback', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      ctx.clock.advance(3_600_000);
      await page.keyboard.press('Space');
      expect((await playing(see, 0.3)).at).to.be.below(5);
    });
  });

  it('shows a message if the video was deleted', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      await ctx.db.change('UPDATE vod_items SET id = gen_random_uuid()');
      ctx.clock.advance(3_600_000);
      await page.keyboard.press('Space');
      await page.getByRole('heading', { name: 'This video is not available' }).waitFor();
      await changeRows(ctx, VodItem, {}, { id: new URL(address).searchParams.get('vod') ?? '' });
    });
  });

  it('shows a message if the service is down', async () => {
    await open(async (page, see) => {
      await eventually(async () => expect((await see()).levels).to.have.lengthOf(3));
      await page.route('**/s/**', (route) => route.abort());
      await page.keyboard.press('Space');
      await eventually(async () => expect((await see()).notice).to.match(/could not be loaded.*Try again/s), {
        timeoutMs: 40_000,
      });
    });
  });

  it('plays inside a cross-site frame', async () => {
    const body = `<iframe src="${address}" allow="autoplay; fullscreen" width="640" height="360"></iframe>`;
    await onAnotherSite(body, (url) =>
      withPage(browser, { url, options: {}, faults: [] }, async (page) => {
        await page.frameLocator('iframe').locator('.start').click();
        await playing(() => page.frames()[1]!.evaluate<Sight>(look), 0.5);
      }),
    );
  });
});
