import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { browserFixture } from '../support/browser.js';
import { inSequence, secondIn, type TestProgram } from '../support/cast/station.js';
import { openWatchedStation, type WatchedStation } from '../support/cast/watchedStation.js';
import { eventually } from '../support/eventually.js';
import { accessibilityFaults, permitsAxe, playing, tabStops } from '../support/playerPage.js';
import { describeWith, requirements } from '../support/requirements.js';

/** The seekable range in seconds. */
const listed = (page: Page) =>
  page.evaluate<{ oldest: number; newest: number }>(
    `(({ seekable }) => ({ oldest: seekable.start(0), newest: seekable.end(0) }))(document.querySelector('video'))`,
  );
const row = (page: Page, name: string) => page.locator(`[data-control=${name}]`);

/**
 * The page of a channel in real time. Its programs show a stream without an encoder, and therefore its slate:
 * `test/long/castPage.test.ts` plays uploaded programs.
 */
describeWith(requirements.chromium, 'a cast channel in a browser', function () {
  this.timeout(120_000);
  const { browser } = browserFixture();
  let watched: WatchedStation | undefined;
  let open: WatchedStation['open'];
  let programs: readonly TestProgram[];

  before(async () => {
    watched = await openWatchedStation(browser);
    open = watched.open;
    const { station } = watched;
    const show = { type: 'LIVE', streamId: (await station.stream('Studio')).streamId } as const;
    // Up to seven seconds are decided: three quarters of the freeze and the remainder of a segment.
    programs = inSequence(secondIn(10), [
      { title: 'First <light>', seconds: 600, show },
      { title: 'Second', seconds: 600, show },
    ]);
    await station.program(programs);
  });

  after(() => watched?.close());

  afterEach(() => expect(watched?.takeFaults() ?? []).to.deep.equal([]));

  it('shows the current and the next program, in the language and the time zone of the viewer', async () => {
    await open({ locale: 'it-IT', timezoneId: 'America/New_York', ...permitsAxe }, async (page) => {
      const [first, second] = programs as [TestProgram, TestProgram];
      const time = (at: number): string =>
        new Intl.DateTimeFormat('it', {
          timeStyle: at % 60_000 ? 'medium' : 'short',
          timeZone: 'America/New_York',
        }).format(at);
      await eventually(async () => expect(await row(page, 'current').textContent()).to.equal(first.title), {
        timeoutMs: 30_000,
        everyMs: 100,
      });
      expect(await row(page, 'currentTimes').textContent()).to.equal(`${time(first.startsAt)} – ${time(first.endsAt)}`);
      expect(await row(page, 'nextProgram').textContent()).to.match(/^\s*A seguire\s+Second\s/);
      expect(await row(page, 'nextTime').textContent()).to.equal(time(second.startsAt));
      expect(await accessibilityFaults(page)).to.deep.equal([]);
    });
  });

  it('has the keys and buttons of a live stream but no position', async () => {
    await open({}, async (page, see) => {
      expect(await tabStops(page, 2)).to.deep.equal(['Video player', 'Play']);
      await page.keyboard.press('Enter');
      await playing(see);
      expect(await tabStops(page, 5)).to.include.members(['Pause', 'Mute', 'Volume']);
      expect(await page.getByRole('slider', { name: 'Position' }).count()).to.equal(0);
      expect(await page.getByRole('button', { name: /^Back/ }).count()).to.equal(0);
      const { newest } = await listed(page);
      await page.keyboard.press('Home');
      await eventually(async () => expect((await see()).at).to.be.below(newest - 20));
      await playing(see);
      await page.keyboard.press('ArrowLeft');
      await playing(see);
      expect((await see()).at).to.be.at.least((await listed(page)).oldest - 1);
      await page.keyboard.press('End');
      await playing(see, newest - 14);
    });
  });

  it('reports a lost connection and resumes when it returns', async () => {
    await open({}, async (page, see) => {
      const isLost = /\/(s|embed\/cast)\b/;
      await page.route(isLost, (route) => route.abort());
      await page.reload();
      await page.getByText('No connection.').waitFor({ timeout: 30_000 });
      await page.unroute(isLost);
      await page.getByText('No connection.').waitFor({ state: 'hidden', timeout: 30_000 });
      await page.getByRole('button', { name: 'Play' }).first().click();
      await playing(see);
    });
  });

  it('reports that the channel is no longer available', async () => {
    await open({}, async (page) => {
      await watched?.disableOwner();
      await page.getByRole('heading', { name: 'This channel is not available' }).waitFor({ timeout: 20_000 });
    });
  });
});
