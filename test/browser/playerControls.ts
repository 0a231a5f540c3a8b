import { expect } from 'chai';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { eventually } from '../support/eventually.js';
import { accessibilityFaults, permitsAxe, playing, tabStops, type See } from '../support/playerPage.js';

/** Opens the player page of a video of `clipSeconds`; `query` is appended to its address. */
export type OpenPlayer = (
  work: (page: Page, see: See) => Promise<void>,
  options?: BrowserContextOptions,
  query?: string,
) => Promise<void>;

/** Tests of the controls, keys and address of a suite's player page. */
export function testControls(open: OpenPlayer, clipSeconds: number): void {
  it('is usable by keyboard alone', async () => {
    await open(async (page, see) => {
      expect(await tabStops(page, 2)).to.deep.equal(['Video player', 'Play']);
      await page.keyboard.press('Enter');
      const started = await playing(see);
      await page.keyboard.press('ArrowRight');
      await playing(see, started.at + 4.5);
      await page.keyboard.press('Space');
      await eventually(async () => expect((await see()).paused).to.equal(true));
      const { at } = await see();
      await page.keyboard.press('l');
      await eventually(async () => expect((await see()).at).to.be.closeTo(at + 10, 0.1));
      await page.keyboard.press('j');
      await eventually(async () => expect((await see()).at).to.be.closeTo(at, 0.1));
      await page.keyboard.press('j');
      await eventually(async () => expect((await see()).at).to.equal(Math.max(0, at - 10)));
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
      expect(reached.slice(-4)).to.deep.equal(['Quality', 'Speed 1x', 'Picture in picture', 'Full screen']);
    });
  });

  it('skips ten seconds back and forward with buttons if there is space', async () => {
    await open(
      async (page, see) => {
        await page.getByRole('button', { name: 'Forward 10 seconds' }).click();
        await eventually(async () => expect((await see()).at).to.equal(10));
        await page.getByRole('button', { name: 'Back 10 seconds' }).click();
        await eventually(async () => expect((await see()).at).to.equal(0));
        await page.setViewportSize({ width: 360, height: 640 });
        for (const name of ['Forward 10 seconds', 'Back 10 seconds'])
          await page.getByRole('button', { name }).waitFor({ state: 'hidden' });
      },
      { viewport: { width: 1280, height: 720 } },
    );
  });

  it('shows the keyboard shortcuts in the viewer’s language, in a dialog that keeps the focus', async () => {
    await open(
      async (page, see) => {
        await page.keyboard.press('?');
        const dialog = page.getByRole('dialog', { name: 'Scorciatoie da tastiera' });
        await dialog.waitFor();
        expect(await dialog.locator('dl > div').count()).to.equal(17);
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

  it('applies the parameters of its address and ignores invalid ones', async () => {
    await open(
      async (page, see) => {
        const begun = await playing(see, 20);
        expect([begun.muted, begun.at < 24]).to.deep.equal([true, true]);
        await page.keyboard.press('End');
        await eventually(async () => expect((await see()).at).to.be.within(0.1, 10), { timeoutMs: 20_000 });
        await playing(see);
      },
      {},
      '&t=20s&autoplay=1&muted=1&loop=1',
    );
    await open(
      async (_page, see) => {
        await eventually(async () => expect((await see()).at).to.be.within(0.1, 10), { timeoutMs: 20_000 });
      },
      {},
      `&t=${clipSeconds - 0.05}&autoplay=1&muted=1&loop=1`,
    );
    await open(
      async (page, see) => {
        await page.keyboard.press('Space');
        const begun = await playing(see);
        expect([begun.muted, begun.at < 5]).to.deep.equal([false, true]);
        expect(await page.evaluate(`document.querySelector('video').loop`)).to.equal(false);
      },
      {},
      '&t=99m&autoplay=perhaps&muted=-&loop=2',
    );
  });
}
