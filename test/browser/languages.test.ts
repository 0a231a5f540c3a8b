import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { registerUser } from '../support/api.js';
import { browserFixture } from '../support/browser.js';
import { publishFree, readyFiles } from '../support/mediaFixture.js';
import { eventually } from '../support/eventually.js';
import { makeClip, noisyTone } from '../support/media.js';
import { accessibilityFaults, moveTo, permitsAxe, playing, withPage, type See } from '../support/playerPage.js';
import { describeWith, requirements } from '../support/requirements.js';
import { serviceFixture } from '../support/fixtures.js';

const seconds = 60;
/** The pitch of each language in hertz. */
const pitches = { Italiano: 400, Deutsch: 800, Français: 1600 } as const;
type Language = keyof typeof pitches;

const film = (): Promise<string> =>
  makeClip('mkv', [
    ...['-f', 'lavfi', '-i', `testsrc2=s=640x360:r=12:d=${seconds}`],
    ...Object.values(pitches).flatMap((pitch) => ['-f', 'lavfi', '-i', noisyTone(seconds, pitch)]),
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3', '-c:v', 'libx264', '-preset', 'ultrafast'],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-filter:a:1', 'pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0'],
    ...['ita', 'ger', 'fre'].flatMap((language, index) => [`-metadata:s:a:${index}`, `language=${language}`]),
  ]);

/** Evaluated in the page: records the audible pitch and the times of stalls. */
const listen = `(() => {
  const video = document.querySelector('video');
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  analyser.fftSize = 4096;
  context.createMediaElementSource(video).connect(analyser).connect(context.destination);
  const bins = new Float32Array(analyser.frequencyBinCount);
  window.pitch = () => {
    analyser.getFloatFrequencyData(bins);
    const loudest = bins.reduce((best, value, bin) => (value > bins[best] ? bin : best), 0);
    return bins[loudest] < -80 ? 0 : (loudest * context.sampleRate) / analyser.fftSize;
  };
  window.stalls = [];
  video.addEventListener('waiting', () => window.stalls.push(video.currentTime));
  return context.resume();
})()`;

describeWith(requirements.chromium, 'audio languages in a browser', function () {
  this.timeout(120_000);
  const { browser, faults } = browserFixture();
  // A quick generation has one language.
  const { ctx, api } = serviceFixture({ QUICK_GENERATION: 'false' });
  let address: string;

  before(async () => {
    const user = await registerUser(api);
    const [boxId] = await readyFiles(ctx, api, user, [{ path: await film(), title: 'Tones' }]);
    address = await publishFree(api, user, boxId);
  });

  const open = (work: (page: Page, see: See) => Promise<void>, options = {}) =>
    withPage(browser, { url: address, options, faults }, work);
  const choose = async (page: Page, language: Language): Promise<void> => {
    await page.getByRole('button', { name: 'Audio', exact: true }).click();
    await page.getByRole('menuitemradio', { name: language, exact: true }).click();
  };
  const heard = (page: Page, language: Language) =>
    eventually(async () => expect(await page.evaluate<number>('window.pitch()')).to.be.closeTo(pitches[language], 25), {
      timeoutMs: 15_000,
    });

  /** On a busy machine the decoder may also stall, but not in all three rounds. A stalling switch stalls in all. */
  async function withoutStall(page: Page, work: () => Promise<void>, rounds = 3): Promise<void> {
    await work();
    const stalls = await page.evaluate<number[]>('window.stalls.splice(0)');
    if (stalls.length > 0 && rounds > 1) return withoutStall(page, work, rounds - 1);
    expect(stalls).to.deep.equal([]);
  }

  it('switch without a stall among three, even after a seek', async () => {
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see, 1);
      await page.evaluate(listen);
      await heard(page, 'Italiano');
      // German has surround sound too, which this browser does not play.
      expect((await see()).levels).to.deep.equal([240, 360]);
      await withoutStall(page, async () => {
        for (const language of ['Deutsch', 'Français', 'Italiano'] as const) {
          await choose(page, language);
          await heard(page, language);
        }
      });
      await moveTo(page, 40);
      await playing(see, 41);
      await choose(page, 'Deutsch');
      await heard(page, 'Deutsch');
    });
  });

  it('are selected by keyboard alone and remembered, in an accessible menu', async () => {
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see, 1);
      await page.getByRole('button', { name: 'Audio', exact: true }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('menuitemradio', { name: 'Français', exact: true }).waitFor();
      expect(await accessibilityFaults(page)).to.deep.equal([]);
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.evaluate(listen);
      await heard(page, 'Français');
      await page.reload();
      await page.keyboard.press('Space');
      await playing(see, 1);
      await page.evaluate(listen);
      await heard(page, 'Français');
    }, permitsAxe);
  });
});
