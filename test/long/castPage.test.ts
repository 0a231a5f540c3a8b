import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openBrowser } from '../support/browser.js';
import { inSequence, secondIn, type TestProgram } from '../support/cast/station.js';
import { openWatchedStation, type WatchedStation } from '../support/cast/watchedStation.js';
import { eventually } from '../support/eventually.js';
import { makeVideo } from '../support/media.js';
import { playing } from '../support/playerPage.js';
import { describeWith, requirements } from '../support/requirements.js';

/** Evaluated in the page: the time of the shown frame on the channel clock. */
const shownTime = `document.getElementById('player').hls.playingDate?.getTime() ?? 0`;
/** A cue in each second of a program, from 0.2 to 0.7 s. */
const captionFile = `WEBVTT\n\n${Array.from({ length: 8 }, (_, second) => `00:0${second}.200 --> 00:0${second}.700\ncue ${second}\n`).join('\n')}`;
/** Evaluated in the page: shows captions and records the start of each cue on the channel clock. */
const watchCaptions = `(() => {
  const { hls } = document.getElementById('player');
  const video = document.querySelector('video');
  hls.subtitleTrack = 0;
  window.seen = [];
  let before = '';
  setInterval(() => {
    const tracks = [...video.textTracks].filter(({ kind }) => kind !== 'metadata');
    const now = tracks.flatMap(({ activeCues }) => [...(activeCues ?? [])].map(({ text }) => text)).join();
    if (now !== before && now !== '') window.seen.push({ text: now, at: hls.playingDate?.getTime() ?? 0 });
    before = now;
  }, 10);
})()`;
const row = (page: Page, name: string) => page.locator(`[data-control=${name}]`);

/** Uploaded programs in real time, and the page that plays them. `test/browser/cast.test.ts` tests the page itself. */
describeWith(requirements.chromium, 'programs of a cast channel in a browser', function () {
  this.timeout(120_000);
  let browser: Browser;
  let watched: WatchedStation | undefined;
  let open: WatchedStation['open'];
  let programs: readonly TestProgram[];

  before(async () => {
    browser = await openBrowser();
    watched = await openWatchedStation(browser);
    open = watched.open;
    const { station } = watched;
    const [boxId = ''] = await station.upload([await makeVideo({ seconds: 8, size: '426x240' })]);
    const form = new FormData();
    form.append('language', 'en');
    form.append('file', new Blob([captionFile]), 'en.vtt');
    await station.addCaptions(boxId, form);
    const show = { type: 'PRERECORDED', boxId } as const;
    // Up to seven seconds are decided: three quarters of the freeze and the remainder of a segment.
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
    await watched?.close();
  });

  afterEach(() => expect(watched?.takeFaults() ?? []).to.deep.equal([]));

  it('play one after the other without a reload, with the current program in the viewer’s time zone', async () => {
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
      await page.evaluate(watchCaptions);
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
      const seen = await eventually(
        async () => {
          const cues = await page.evaluate<{ readonly text: string; readonly at: number }[]>('window.seen');
          expect(cues.filter(({ at }) => at > third.startsAt)).to.have.lengthOf.at.least(4);
          return cues;
        },
        { timeoutMs: 20_000 },
      );
      const ofProgram = ({ startsAt, endsAt }: TestProgram) => seen.filter(({ at }) => at >= startsAt && at < endsAt);
      // Cues of every program are shown at their times across each join, and none in a break.
      expect(ofProgram(first).map(({ text }) => text)).to.deep.equal([0, 1, 2, 3, 4, 5].map((one) => `cue ${one}`));
      expect(ofProgram(second).map(({ text }) => text)).to.deep.equal([0, 1, 2].map((one) => `cue ${one}`));
      expect(
        ofProgram(third)
          .slice(0, 4)
          .map(({ text }) => text),
      ).to.deep.equal([0, 1, 2, 3].map((one) => `cue ${one}`));
      // The airing before the first program was decided earlier: the program starts within half a second of its time.
      const begun = (seen[0]?.at ?? 0) - 200;
      expect(begun - first.startsAt).to.be.within(-100, 600);
      for (const [program, start] of [
        [first, begun],
        [second, second.startsAt],
        [third, third.startsAt],
      ] as const)
        for (const { text, at } of ofProgram(program))
          expect(at - start, text).to.be.closeTo(Number(text.slice('cue '.length)) * 1000 + 200, 100);
      expect(seen.filter(({ at }) => at >= second.endsAt && at < third.startsAt)).to.deep.equal([]);
    });
  });
});
