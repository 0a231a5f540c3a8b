import { expect } from 'chai';
import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { Content } from '../../shared/content/content.model.js';
import { playedCaptionsOf } from '../../shared/caption/caption.queries.js';
import { BoxItem } from '../../shared/box/box.model.js';
import { registerUser } from '../support/api.js';
import { browserFixture } from '../support/browser.js';
import { publishFree, readyClip } from '../support/mediaFixture.js';
import { captionFile, chooseCaptions, latenessOfCues, watchCaptions } from './captionPage.js';
import { eventually } from '../support/eventually.js';
import { useFixture, serviceFixture } from '../support/fixtures.js';
import { accessibilityFaults, moveTo, permitsAxe, playing, withPage, type See } from '../support/playerPage.js';
import { startWorkers } from '../support/workers.js';
import { describeWith, requirements } from '../support/requirements.js';

const clipSeconds = 45;
/** Evaluated in the page: the texts of the visible captions, and the time of the video. */
const shownCaptions = `(() => {
  const video = document.querySelector('video');
  const tracks = [...video.textTracks].filter(({ kind, mode }) => kind !== 'metadata' && kind !== 'chapters' && mode === 'showing');
  return { at: video.currentTime, texts: tracks.flatMap(({ activeCues }) => [...(activeCues ?? [])].map(({ text }) => text)) };
})()`;
/** A style: captions are magenta, and the seek picture is outside the video. */
const captionsOnly = 'video { object-position: -9999px 0 } video::cue { color: #f0f; background: #f0f }';

describeWith(requirements.chromium, 'captions, chapters and seek pictures in a browser', function () {
  this.timeout(120_000);
  const { browser, faults } = browserFixture();
  const { ctx, api } = serviceFixture({});
  const user = useFixture(() => registerUser(api));
  let address: string;
  let boxId: string;

  before(async () => {
    boxId = await readyClip(ctx, api, user, { size: '640x360', seconds: clipSeconds, rate: '12', title: 'Words' });
    for (const [language, word] of [
      ['en', 'word'],
      ['de', 'Wort'],
    ] as const)
      await addCaptions(captionFile(word), { language });
    const chapters = [
      { startSeconds: 0, title: 'Start & <first>' },
      { startSeconds: 20, title: 'Second' },
    ];
    await api.call('POST', `/api/box/${boxId}/chapters`, { token: user.token, body: { chapters } });
    await makeStoryboard();
    address = await publishFree(api, user, boxId);
  });

  /** Resolves when players that begin get these captions. */
  async function addCaptions(file: string, fields: Record<string, string>): Promise<void> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    form.append('file', new Blob([file]), 'captions.vtt');
    const { status, body } = await api.call('POST', `/api/box/${boxId}/captions`, { token: user.token, body: form });
    expect(status).to.equal(201);
    const { contentId } = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
    await eventually(async () =>
      expect((await playedCaptionsOf(ctx, contentId)).map(({ id }) => id)).to.include(body.captionId),
    );
  }

  /** The workers of `readyClip` may have ended before the job. */
  async function makeStoryboard(): Promise<void> {
    const workers = await startWorkers(ctx);
    const item = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
    const content = () => ctx.db.model(Content).findByPk(item.contentId, { rejectOnEmpty: true });
    await eventually(async () => expect((await content()).storyboard).to.not.equal(null), { timeoutMs: 20_000 });
    await workers.close();
  }

  const open = (work: (page: Page, see: See) => Promise<void>, query = '', options = {}) =>
    withPage(browser, { url: address + query, options, faults }, work);

  it('are shown within a tenth of a second of their cue times, even after a seek', async () => {
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see);
      await chooseCaptions(page, 'English');
      await page.evaluate(watchCaptions);
      await moveTo(page, 27);
      await playing(see, 34.5, 10);
      const late = await latenessOfCues(page, 27.5);
      expect(late).to.have.length.of.at.least(2);
      // A busy machine may delay one of them.
      expect(Math.min(...late)).to.be.within(-0.1, 0.1);
    });
  });

  it('are available before playback, without loading media and without moving other buttons', async () => {
    const asked: string[] = [];
    let release = (): void => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await withPage(browser, { url: 'about:blank', options: {}, faults }, async (page, see) => {
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.route('**/master.m3u8', async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(address);
      const places = () =>
        page.evaluate<Record<string, number>>(
          `Object.fromEntries([...document.querySelectorAll('.row > *')].filter((one) => one.clientWidth > 0 && !one.matches('.space'))
            .map((one) => [one.localName, one.getBoundingClientRect().left]))`,
        );
      await page.getByRole('button', { name: 'Chapters' }).waitFor();
      const before = await places();
      release();
      await page.getByRole('button', { name: 'Captions' }).waitFor();
      expect(await places()).to.deep.include(before);
      await chooseCaptions(page, 'Deutsch');
      await page.getByRole('button', { name: 'Chapters' }).click();
      await page.getByRole('menuitemradio', { name: 'Start & <first>', checked: true }).waitFor();
      await page.getByRole('menuitemradio', { name: '0:20 Second' }).click();
      await eventually(async () => expect((await see()).at).to.equal(20));
      expect(asked.filter((path) => /\.(m4s|mp4)$/.test(path))).to.deep.equal([]);
      await page.keyboard.press('k');
      expect((await playing(see, 20)).at).to.be.below(30);
      const texts = async () => (await page.evaluate<{ readonly texts: string[] }>(shownCaptions)).texts.join();
      await eventually(async () => expect(await texts()).to.match(/^Wort \d+$/), { timeoutMs: 15_000 });
    });
  });

  it('appear above the controls, and move down when these are hidden during playback', async () => {
    await addCaptions('WEBVTT\n\n00:00.000 --> 00:40.000\nun mot\n', { language: 'fr' });
    await open(
      async (page, see) => {
        await page.addStyleTag({ content: captionsOnly });
        await page.keyboard.press('Space');
        await playing(see);
        await chooseCaptions(page, 'Français');
        for (const viewport of [
          { width: 640, height: 360 },
          { width: 360, height: 640 },
        ]) {
          await page.setViewportSize(viewport);
          const shownWithin = (lowest: number, highest: number) =>
            eventually(async () => expect(await lowestCaptionRow(page)).to.be.within(lowest, highest), {
              timeoutMs: 20_000,
            });
          await page.evaluate(`document.querySelector('video').pause()`);
          await moveTo(page, 13.5);
          const bar = (await page.locator('media-time-range').boundingBox())!;
          await shownWithin(bar.y - 40, bar.y);
          await page.evaluate(`document.querySelector('video').play()`);
          // Controls under the pointer are not hidden.
          await page.mouse.move(viewport.width / 2, viewport.height / 3);
          await shownWithin(viewport.height - 20, viewport.height);
        }
      },
      '',
      permitsAxe,
    );
  });

  /** The lowest screen row with the color of `captionsOnly`, which the shade behind the controls darkens, or -1. */
  async function lowestCaptionRow(page: Page): Promise<number> {
    const { data, info } = await sharp(await page.screenshot())
      .raw()
      .toBuffer({ resolveWithObject: true });
    for (let at = data.length - info.channels; at >= 0; at -= info.channels) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3);
      if (red > 100 && blue > 100 && green < 15) return Math.floor(at / info.channels / info.width);
    }
    return -1;
  }

  it('change their language, remember it, and are switched by the key C', async () => {
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see);
      await chooseCaptions(page, 'Deutsch');
      const texts = () => page.evaluate<{ readonly texts: string[] }>(shownCaptions);
      await eventually(async () => expect((await texts()).texts.join()).to.match(/^Wort \d+$/), { timeoutMs: 15_000 });
      await page.reload();
      await page.keyboard.press('Space');
      await playing(see);
      await eventually(async () => expect((await texts()).texts.join()).to.match(/^Wort \d+$/), { timeoutMs: 15_000 });
      const showing = `[...document.querySelector('video').textTracks].filter(({ kind, mode }) => kind !== 'metadata' && kind !== 'chapters' && mode === 'showing').length`;
      await page.keyboard.press('c');
      await eventually(async () => expect(await page.evaluate(showing)).to.equal(0));
      await page.reload();
      await page.keyboard.press('Space');
      await playing(see);
      expect(await page.evaluate(showing)).to.equal(0);
    });
  });

  it('show the picture and the chapter at the pointer, and are accessible', async () => {
    await open(
      async (page, see) => {
        await page.keyboard.press('Space');
        await playing(see);
        const slider = page.locator('media-time-range');
        const box = (await slider.boundingBox())!;
        const preview = `(() => {
          const range = document.querySelector('media-time-range');
          const thumbnail = range.shadowRoot.querySelector('media-preview-thumbnail');
          return { coords: thumbnail.getAttribute('mediapreviewcoords'), image: thumbnail.getAttribute('mediapreviewimage'),
            chapter: range.getAttribute('mediapreviewchapter') };
        })()`;
        for (const [share, second, chapter] of [
          [0.25, 11, 'Start & <first>'],
          [0.75, 33, 'Second'],
        ] as const) {
          await page.mouse.move(box.x + box.width * share, box.y + box.height / 2);
          await eventually(async () => {
            const shown = await page.evaluate<{ coords: string; image: string; chapter: string }>(preview);
            const [x = 0, y = 0] = (shown.coords ?? '').split(' ').map(Number);
            expect((y / 90) * 10 + x / 160).to.be.closeTo(second, 1.01);
            expect(shown.image).to.match(/\/storyboard\/000\.jpg(#|$)/);
            expect(shown.chapter).to.equal(chapter);
          });
        }
        await page.getByRole('button', { name: 'Captions' }).click();
        await page.getByRole('menuitemradio', { name: 'English' }).waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await page.keyboard.press('Escape');
        await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
        await slider.locator('media-preview-thumbnail img').waitFor();
        expect(await accessibilityFaults(page), 'with a seek picture').to.deep.equal([]);
      },
      '',
      permitsAxe,
    );
  });

  it('include unlisted forced captions above the controls while the viewer has selected no others', async () => {
    const signs = { language: 'en', label: 'Signs', forced: 'true' };
    await addCaptions('WEBVTT\n\n00:00.000 --> 00:40.000\n<i>A sign</i>\n', signs);
    await open(async (page, see) => {
      const forced = page.locator('.forced');
      await page.keyboard.press('Space');
      await playing(see);
      await forced.getByText('A sign').waitFor({ timeout: 15_000 });
      await page.getByRole('button', { name: 'Captions' }).click();
      const names = await page.getByRole('menuitemradio').allTextContents();
      expect(names.join()).to.include('English').and.not.include('Signs');
      await page.getByRole('menuitemradio', { name: 'English', exact: true }).click();
      await eventually(async () => expect(await forced.textContent()).to.equal(''));
      const texts = () => page.evaluate<{ readonly texts: string[] }>(shownCaptions);
      await eventually(async () => expect((await texts()).texts.join()).to.match(/^word \d+$/), { timeoutMs: 15_000 });
      await page.keyboard.press('c');
      await forced.getByText('A sign').waitFor();
      const [text, bar] = await Promise.all([forced.boundingBox(), page.locator('media-time-range').boundingBox()]);
      expect(text!.y + text!.height).to.be.at.most(bar!.y);
      await page.reload();
      await page.keyboard.press('Space');
      await forced.getByText('A sign').waitFor({ timeout: 15_000 });
      expect((await texts()).texts).to.deep.equal([]);
    });
  });

  it('start with the default captions until the viewer selects others or switches them off', async () => {
    const { body } = await api.call('GET', `/api/box/${boxId}/captions`, { token: user.token });
    const [german] = (body.items as { captionId: string; language: string }[]).filter(
      ({ language }) => language === 'de',
    );
    const path = `/api/box/${boxId}/captions/${german!.captionId}`;
    await api.call('POST', path, { token: user.token, body: { default: true } });
    const { contentId } = await ctx.db.model(BoxItem).findByPk(boxId, { rejectOnEmpty: true });
    await eventually(async () =>
      expect((await playedCaptionsOf(ctx, contentId)).some((one) => one.shownByDefault)).to.equal(true),
    );
    await open(async (page, see) => {
      const texts = async () => (await page.evaluate<{ readonly texts: string[] }>(shownCaptions)).texts.join();
      const showing = `[...document.querySelector('video').textTracks].filter(({ kind, mode }) => kind === 'captions' && mode === 'showing').length`;
      await page.keyboard.press('Space');
      await playing(see);
      await eventually(async () => expect(await texts()).to.match(/^Wort \d+$/), { timeoutMs: 15_000 });
      expect(await page.locator('.forced').textContent()).to.equal('');
      await page.keyboard.press('c');
      await eventually(async () => expect(await page.evaluate(showing)).to.equal(0));
      await page.reload();
      await page.keyboard.press('Space');
      await playing(see);
      await page.locator('.forced').getByText('A sign').waitFor({ timeout: 15_000 });
      expect(await page.evaluate(showing)).to.equal(0);
    });
  });
});
