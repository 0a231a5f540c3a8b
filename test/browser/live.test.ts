import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { startLive, type LiveProcess } from '../../workers/live/liveProcess.js';
import { packageRun } from '../../workers/live/packaging/packageRun.js';
import { startApi, type TestApi } from '../support/api.js';
import { browserFixture, onAnotherSite } from '../support/browser.js';
import { withRealClock, openTestContext, type TestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { keyAddress } from '../support/liveStreams.js';
import { makeVideo } from '../support/media.js';
import { freePort } from '../support/deployment.js';
import { accessibilityFaults, permitsAxe, playing, posterSize, withPage, type See } from '../support/playerPage.js';
import { startEncoder, type Encoder } from '../support/rtmp/encoder.js';
import { seedRecording } from '../integration/live/liveShop.js';
import { openStudio, type Studio } from '../integration/live/studio.js';
import { LiveEvent } from '../../shared/live/live.model.js';
import { SandboxOrder } from '../../shared/payment/providers/sandbox/sandbox.model.js';
import { changeRow, changeRows } from '../support/rows.js';
import { describeWith, requirements } from '../support/requirements.js';

/** Seconds for which the encoder publishes before and after it is killed. */
const halfSeconds = Number(process.env['LIVE_TEST_SECONDS'] ?? 10) / 2;
/** Maximum seconds behind the encoder, with and without parts. */
const maxLatencySeconds = 4;
/** Additional seconds that hls.js stays behind after a stall (`liveSyncOnStallIncrease`). */
const afterStallSeconds = 1;
const maxSegmentLatencySeconds = 9;
const settings = {
  RTMP_HOST: '127.0.0.1',
  RTMP_PORT: '0',
  LIVE_RENDITIONS: '240',
  LIVE_PRESET: 'ultrafast',
  LIVE_RECONNECT_SECONDS: '5',
};

/** Evaluated in the page: seconds since the capture of the shown frame. */
const latency = `(Date.now() - document.getElementById('player').hls.playingDate.getTime()) / 1000`;
/** Evaluated in the page: collects fatal errors of hls.js. */
const watchErrors = `(() => {
  window.fatal = [];
  const { hls } = document.getElementById('player');
  hls.on(hls.constructor.Events.ERROR, (_event, error) => error.fatal && fatal.push(error.details));
})()`;

/** An encoder, the live process and the page that plays the stream, in real time. */
describeWith(requirements.chromium, 'a live event in a browser', function () {
  this.timeout(180_000);
  const { browser, faults } = browserFixture();
  let ctx: TestContext;
  let api: TestApi;
  let live: LiveProcess;
  let studio: Studio;
  let clip: string;
  const encoders: Encoder[] = [];

  before(async () => {
    const port = await freePort();
    const context = await openTestContext({ ...settings, PUBLIC_URL: `http://127.0.0.1:${port}` });
    ctx = withRealClock(context);
    api = await startApi(ctx, port);
    live = await startLive(ctx, packageRun);
    studio = await openStudio({ ctx, api });
    clip = await makeVideo({ seconds: 10, size: '426x240' });
  });

  after(async () => {
    await live?.close();
    await api?.close();
    await ctx?.close();
  });

  // The encoder's media is transcoded while it runs.
  afterEach(() => Promise.all(encoders.splice(0).map((encoder) => encoder.kill())));

  const open = (query: string, work: (page: Page, see: See) => Promise<void>, options = {}) =>
    withPage(browser, { url: `${api.url}/embed/?${query}`, options, faults }, work);

  function publish(streamPath: string, livePassword: string): Encoder {
    const login = { userCode: studio.publisher.userCode, livePassword, streamPath };
    const encoder = startEncoder(clip, keyAddress(live.port, login), { isLive: true });
    encoders.push(encoder);
    return encoder;
  }

  it('counts down, plays without a click, survives a killed encoder, rewinds, returns to live, and ends', async () => {
    const { eventId, channel } = await studio.event(0.15, 30);
    const livePassword = await passwordOf();
    const first = publish(channel.streamPath, livePassword);
    await open(`event=${eventId}`, async (page, see) => {
      await page.evaluate(watchErrors);
      await page.getByText(/^00:00:0\d$/).waitFor();
      expect(await page.evaluate(`document.getElementById('player').inert`)).to.equal(true);
      await playing(see);
      await page.waitForTimeout(halfSeconds * 1000);
      const before = await caughtUp(page);
      await page.mouse.move(200, 200);
      await first.kill();
      await page.waitForTimeout(3000);
      publish(channel.streamPath, livePassword);
      const { at } = await see();
      await playing(see, at + halfSeconds, halfSeconds);
      const after = await caughtUp(page, afterStallSeconds);
      console.error(`      latency behind the encoder: ${before.toFixed(1)} s, ${after.toFixed(1)} s after its return`);

      const bar = page.getByRole('slider', { name: 'Position' });
      const behind = page.getByRole('timer', { name: /behind live/ });
      const playsBehindBy = async (seconds: number): Promise<void> => {
        await eventually(async () => expect(await page.evaluate(latency)).to.be.within(seconds - 2, seconds + 8), {
          timeoutMs: 10_000,
        });
        await playing(see);
      };
      await page.mouse.move(200, 200);
      expect(await bar.getAttribute('aria-valuetext')).to.equal('Live');
      expect(await behind.count()).to.equal(0);
      // A player that has stalled plays faster until it has caught up.
      const secondsBehind = await page.evaluate<number>(latency);
      await page.getByRole('button', { name: 'Back 10 seconds' }).click();
      await playsBehindBy(secondsBehind + 10);
      await eventually(async () => expect(await behind.textContent()).to.match(/^-0:[01]\d$/));
      await page.keyboard.press('Home');
      await playsBehindBy(-Number(await bar.getAttribute('min')));
      await eventually(async () => expect(await behind.textContent()).to.match(/^-\d:\d\d$/));
      expect(await bar.getAttribute('aria-valuetext')).to.match(/^\d+ seconds? behind live$/);
      await page.mouse.move(210, 210);
      await page.getByRole('button', { name: 'Go to live' }).click();
      await eventually(async () => expect(await page.evaluate(latency)).to.be.below(maxSegmentLatencySeconds), {
        timeoutMs: 10_000,
      });
      await playing(see);
      await behind.waitFor({ state: 'hidden' });
      expect(await page.evaluate('window.fatal')).to.deep.equal([]);

      // The second key press follows while the long playlist is being loaded.
      await page.reload();
      await page.evaluate(watchErrors);
      await page.getByRole('button', { name: 'Play' }).first().click();
      await playing(see, 1);
      const again = await caughtUp(page);
      await page.keyboard.press('j');
      await page.keyboard.press('j');
      await playsBehindBy(again + 20);

      await changeRow(ctx, LiveEvent, eventId, { endsAt: new Date() });
      // First the player plays what remains: the seconds that it is behind, and up to ten until the list ends.
      await page.getByText('This event is over.').waitFor({ timeout: 60_000 });
      expect(await page.evaluate('window.fatal')).to.deep.equal([]);
    });
  });

  it('starts on a click if the event is on air and continues by itself in the next session', async () => {
    const { eventId, channel } = await studio.event(0, 30);
    const livePassword = await passwordOf();
    const first = publish(channel.streamPath, livePassword);
    await eventually(
      async () => expect((await api.call('GET', `/embed/live?event=${eventId}`)).body.status.result).to.equal('PLAY'),
      { timeoutMs: 20_000 },
    );
    await eventually(async () =>
      expect((await api.call('GET', `/embed/live?event=${eventId}`)).body.status.still).to.be.a('string'),
    );
    await open(`live=${channel.channelId}`, async (page, see) => {
      await page.evaluate(watchErrors);
      expect(await page.evaluate(posterSize)).to.deep.equal([426, 240]);
      const bar = page.getByRole('slider', { name: 'Position' });
      await eventually(async () => expect(Number(await bar.getAttribute('min'))).to.be.below(-1));
      // Simulates an unreachable live process: the playlist has no parts, or the player does not load them.
      await page.evaluate(`document.getElementById('player').hls.config.lowLatencyMode = false`);
      await page.getByRole('button', { name: 'Play' }).first().click();
      const { at } = await playing(see, 1);
      await playing(see, at + halfSeconds, halfSeconds);
      const behind = await page.evaluate<number>(latency);
      console.error(`      latency behind the encoder in whole segments: ${behind.toFixed(1)} s`);
      expect(behind).to.be.within(1, maxSegmentLatencySeconds);
      expect(await bar.getAttribute('aria-valuetext')).to.equal('Live');
      expect(await page.getByRole('timer', { name: /behind live/ }).count()).to.equal(0);
      await first.kill();
      await page.getByText(/^Waiting for the broadcast/).waitFor({ timeout: 60_000 });
      publish(channel.streamPath, livePassword);
      await page.getByText(/^Waiting for the broadcast/).waitFor({ state: 'hidden', timeout: 60_000 });
      await playing(see, 1);
      expect(await page.evaluate('window.fatal')).to.deep.equal([]);
    });
  });

  it('links to the recording when the event is over', async () => {
    const { eventId } = await studio.event(0, 30);
    await changeRow(ctx, LiveEvent, eventId, { endsAt: new Date() });
    const { boxId } = await seedRecording(studio, eventId);
    const { body } = await studio.post(`/api/box/${boxId}/vod`, { licenseType: 'FREE' });
    await open(
      `event=${eventId}`,
      async (page) => {
        await page.getByText('This event is over.').waitFor();
        expect(await accessibilityFaults(page)).to.deep.equal([]);
        await page.getByRole('link', { name: 'Watch the recording' }).click();
        await page.waitForURL(`${api.url}/embed/?vod=${body.vodId}`);
      },
      permitsAxe,
    );
  });

  it('shows the price, leads to the checkout and back, and waits for the payment without another offer', async () => {
    const { eventId } = await studio.event(5, 30, { paymentMode: 'PAY_PER_VIEW', pricePerView: '4,00' });
    await open(`event=${eventId}`, async (page) => {
      await page.getByText('€4.00').waitFor();
      await page.getByRole('button', { name: 'Pay' }).click();
      const later = page.locator('button[value=later]');
      await later.waitFor();
      const reference = new URL(page.url()).pathname.split('/').at(-1) ?? '';
      await later.click();
      await page.getByText('Waiting for the payment').waitFor();
      expect(await page.getByRole('button', { name: 'Pay' }).count()).to.equal(0);
      await changeRows(ctx, SandboxOrder, { reference }, { payableAt: null });
      await page.getByText('Paid: you can watch this event here.').waitFor({ timeout: 20_000 });
      expect(await page.getByRole('button', { name: 'Pay' }).count()).to.equal(0);
    });
  });

  it('shows item and time in the viewer’s region and time zone, and that a cancelled payment charged nothing', async () => {
    const paid = { paymentMode: 'PAY_PER_VIEW', pricePerView: '4,00', description: 'From the summit' };
    const { eventId } = await studio.event(5, 30, paid);
    const event = await ctx.db.model(LiveEvent).findByPk(eventId);
    const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'Asia/Kathmandu' });
    const options = { locale: 'en-GB', timezoneId: 'Asia/Kathmandu' };
    await open(
      `event=${eventId}`,
      async (page) => {
        await page.getByText('From the summit').waitFor();
        await page.getByText('A recording is not included.').waitFor();
        const times = (await page.locator('time').textContent()) ?? '';
        expect(times).to.include(clock.format(event?.startsAt)).and.include(clock.format(event?.endsAt));
        expect(times).to.match(/day,? \d+ \w+ \d{4}/);
        await page.getByRole('button', { name: 'Pay €4.00' }).click();
        await page.locator('button[value=reject]').click();
        await page.getByText('nothing was charged').waitFor();
        expect(await page.getByText('requires a payment').count()).to.equal(0);
        await page.getByRole('button', { name: 'Pay €4.00' }).click();
        await page.locator('button[value=pay]').waitFor();
      },
      options,
    );
  });

  it('opens the checkout in a separate window if the page is in a cross-site frame', async () => {
    const { eventId } = await studio.event(5, 30, { paymentMode: 'PAY_PER_VIEW', pricePerView: '4,00' });
    const body = `<iframe src="${api.url}/embed/?event=${eventId}" width="360" height="203"></iframe>`;
    await onAnotherSite(body, (url) =>
      withPage(browser, { url, options: {}, faults: [] }, async (page) => {
        const frame = page.frameLocator('iframe');
        const pay = frame.getByRole('button', { name: 'Pay' });
        await pay.waitFor();
        const [button, edge] = [await pay.boundingBox(), await page.locator('iframe').boundingBox()];
        expect((button?.y ?? 0) + (button?.height ?? 0)).to.be.below((edge?.y ?? 0) + (edge?.height ?? 0));
        const [checkout] = await Promise.all([page.waitForEvent('popup'), pay.click()]);
        await checkout.locator('button[value=pay]').click();
        await checkout.getByText('You can close this window').waitFor();
        await frame.getByText('Paid: you can watch this event here.').waitFor({ timeout: 20_000 });
      }),
    );
  });

  /** Seconds behind the encoder. On a busy machine the player starts further behind and catches up. */
  function caughtUp(page: Page, stallSeconds = 0): Promise<number> {
    return eventually(
      async () => {
        const seconds = await page.evaluate<number>(latency);
        expect(seconds, 'behind the encoder').to.be.within(1, maxLatencySeconds + stallSeconds);
        return seconds;
      },
      { timeoutMs: 20_000, everyMs: 200 },
    );
  }

  async function passwordOf(): Promise<string> {
    const { body } = await api.call('GET', '/api/user/me', { token: studio.publisher.token });
    return body.features.livePassword;
  }
});
