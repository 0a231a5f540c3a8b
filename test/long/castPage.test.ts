import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { DatabaseClock } from '../../shared/cast/channelClock.js';
import { startApi, type TestApi } from '../support/api.js';
import { openBrowser } from '../support/browser.js';
import { inSequence, openStation, secondIn, type TestProgram, type TestStation } from '../support/cast/station.js';
import { openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { makeVideo } from '../support/media.js';
import { freePort } from '../support/processes.js';
import { playing, withPage, type See } from '../support/playerPage.js';
import { startWorkers } from '../support/workers.js';

const settings = { CAST_FREEZE_SECONDS: '4', CAST_DELAY_SECONDS: '2', CAST_MAX_HEIGHT: '240' };

/** Evaluated in the page: time of the frame that is shown, on the channel's clock. */
const shownTime = `document.getElementById('player').hls.playingDate?.getTime() ?? 0`;
const row = (page: Page, name: string) => page.locator(`[data-control=${name}]`);

/** Uploaded programs in real time, and the page that plays them. `test/browser/cast.test.ts` tests the page itself. */
describe('programs of a cast channel in a browser', function () {
  this.timeout(120_000);
  let browser: Browser | null;
  let ctx: TestContext;
  let api: TestApi;
  let workers: { close: () => Promise<void> } | undefined;
  let station: TestStation;
  let programs: readonly TestProgram[];
  const faults: string[] = [];

  before(async function () {
    browser = await openBrowser();
    if (!browser) return this.skip();
    const port = await freePort();
    const context = await openTestContext({ ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` });
    const clock = { now: () => new Date(), advance: () => {} };
    ctx = { ...context, clock, channelClock: new DatabaseClock() };
    api = await startApi(ctx, port);
    workers = await startWorkers(ctx);
    station = await openStation(ctx, api);
    const [boxId = ''] = await station.upload([await makeVideo({ seconds: 8, size: '426x240' })]);
    const show = { type: 'PRERECORDED', boxId } as const;
    await eventually(
      async () => {
        const { body } = await api.call('GET', `/embed/cast?cast=${station.channelId}`);
        expect(body.status.result).to.equal('PLAY');
      },
      { timeoutMs: 60_000 },
    );
    // Up to seven seconds are decided: three quarters of the freeze, and the rest of a segment.
    programs = inSequence(secondIn(10), [
      { title: 'First <light>', seconds: 6, show },
      { title: 'Second', seconds: 3, show },
      { title: 'Break', seconds: 3, show: { type: 'BREAK' } },
      { title: 'Third', seconds: 8, show },
    ]);
    await station.program(programs);
  });

  after(async () => {
    await browser?.close();
    await workers?.close();
    await api?.close();
    await ctx?.close();
  });

  afterEach(() => expect(faults.splice(0)).to.deep.equal([]));

  const open = (options: BrowserContextOptions, work: (page: Page, see: See) => Promise<void>) =>
    withPage(browser!, { url: `${api.url}/embed/?cast=${station.channelId}`, options, faults }, work);

  it('plays from program to program without a reload, and says what is on, in the time zone of the viewer', async () => {
    await open({ locale: 'it-IT', timezoneId: 'America/New_York' }, async (page, see) => {
      await page.evaluate(`window.isSamePage = true`);
      const [first, second, , third] = programs as [TestProgram, TestProgram, TestProgram, TestProgram];
      const time = (at: number): string =>
        new Intl.DateTimeFormat('it', {
          timeStyle: at % 60_000 ? 'medium' : 'short',
          timeZone: 'America/New_York',
        }).format(at);
      await page.getByRole('button', { name: 'Riproduci' }).first().click();
      await playing(see);
      for (const [title, startsAt] of [
        ['Pausa', 0],
        [first.title, first.startsAt],
        [second.title, second.startsAt],
        ['Pausa', second.endsAt],
        [third.title, third.startsAt],
      ] as const) {
        await eventually(async () => expect(await row(page, 'current').textContent()).to.equal(title), {
          timeoutMs: 30_000,
          everyMs: 100,
        });
        const late = (await page.evaluate<number>(shownTime)) - startsAt;
        if (startsAt > 0) expect(late, `milliseconds after the start of ${title}`).to.be.within(0, 1500);
        if (title !== first.title) continue;
        expect(await row(page, 'currentTimes').textContent()).to.equal(`${time(startsAt)} – ${time(first.endsAt)}`);
        expect(await row(page, 'nextProgram').textContent()).to.match(/^\s*A seguire\s+Second\s/);
        expect(await row(page, 'nextTime').textContent()).to.equal(time(second.startsAt));
      }
      await playing(see, 15);
      expect(await page.getByRole('status').first().textContent()).to.match(/^\s*Ora\s+Third\s/);
      expect(await page.evaluate(`window.isSamePage`)).to.equal(true);
    });
  });
});
