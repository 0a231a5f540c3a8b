import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { transcodeQuickChunk } from '../../shared/content/content.jobs.js';
import { handlers } from '../../workers/handlers.js';
import { handledBy } from '../../workers/runtime/jobTypes.js';
import { transcodeChunkHandler, transcodeExhausted } from '../../workers/transcoding/transcodeChunk.js';
import { registerUser } from '../support/api.js';
import { browserFixture } from '../support/browser.js';
import { publishFree } from '../support/mediaFixture.js';
import { eventually } from '../support/eventually.js';
import { useFixture, serviceFixture } from '../support/fixtures.js';
import { makeVideo, liveCoding, runTool } from '../support/media.js';
import { moveTo, playing, shortBuffer, withPage, type See } from '../support/playerPage.js';
import { upload } from '../support/uploads.js';
import { startWorkers } from '../support/workers.js';
import { describeWith, requirements } from '../support/requirements.js';

const seconds = 24;
/** One segment and then 8 seconds: chunks of a quick generation are twice as long as others. */
const firstChunks = 2;
const firstSeconds = 4 + 8;

/** A video whose quick generation is encoded, and whose ladder has the renditions 240p and 360p. */
const film = (): Promise<string> =>
  makeVideo({
    ...{ seconds, size: '640x360', rate: '12', extension: 'mkv' },
    coding: ['-c:v', 'mpeg4', '-q:v', '6', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  });

/** Videos that are played while the service processes them. */
describeWith(requirements.chromium, 'a recently uploaded video in a browser', function () {
  this.timeout(120_000);
  const { browser, faults } = browserFixture();
  const { ctx, api } = serviceFixture({ QUICK_GENERATION: 'true', CHUNK_SECONDS: '4' });
  const user = useFixture(() => registerUser(api));
  /** All queues except that of full generations. */
  useFixture(() =>
    startWorkers(ctx, {
      queues: ctx.config.worker.queues.filter((queue) => queue !== 'transcoding'),
      handlers: { ...handlers, 'content.transcodeQuick': heldQuickChunks },
    }),
  );
  /** A video that is READY in its quick generation. */
  let quickId: string;
  let address: string;
  /** Chunks after the first ones wait for this. */
  let isOpen: Promise<void> = Promise.resolve();

  before(async () => {
    quickId = await uploadFilm('A film');
    await eventually(async () => expect((await itemOf(quickId)).status).to.equal('READY'), { timeoutMs: 60_000 });
    address = await publishFree(api, user, quickId);
  });

  const heldQuickChunks = handledBy(
    transcodeQuickChunk,
    async (run) => {
      if (run.payload.chunk >= firstChunks) await isOpen;
      return transcodeChunkHandler(run);
    },
    { onExhausted: transcodeExhausted },
  );

  async function uploadFilm(title: string): Promise<string> {
    const sent = await upload(api, user, { title, file: await readFile(await film()), fileName: 'film.mkv' });
    expect(sent.status, sent.text).to.equal(201);
    return sent.body.boxId;
  }

  const itemOf = async (boxId: string) => (await api.call('GET', `/api/box/${boxId}`, { token: user.token })).body;

  /** Opens the page of a video, by default the first one. Every request for a playlist or segment must succeed. */
  async function open(
    work: (page: Page, see: See, requested: readonly string[]) => Promise<void>,
    url: string = address,
  ): Promise<void> {
    await withPage(browser, { url: 'about:blank', options: {}, faults }, async (page, see) => {
      const requested: string[] = [];
      page.on('response', (response) => {
        const path = new URL(response.url()).pathname;
        if (!path.startsWith('/s/')) return;
        requested.push(path);
        if (response.status() >= 400) faults.push(`${response.status()} ${path}`);
      });
      await page.goto(url);
      await work(page, see, requested);
      expect((await see()).notice).to.equal('');
    });
  }

  /** Opens the quality menu, returns its note, and closes it. */
  async function noteOf(page: Page): Promise<string> {
    const button = page.getByRole('button', { name: 'Quality' });
    await button.click();
    await page.getByRole('menu').waitFor();
    const note = await page.locator('#better').innerText();
    await button.click();
    return note;
  }

  it('plays for its owner from the first chunks to the end', async () => {
    let release = (): void => {};
    isOpen = new Promise((resolve) => {
      release = resolve;
    });
    try {
      const boxId = await uploadFilm('A film that grows');
      const list = await eventually(
        async () => {
          const { body } = await api.call('POST', `/api/box/${boxId}/play`, { token: user.token });
          expect(body).to.include({ result: 'PLAY' });
          const media = await api.call('GET', new URL(body.streamer).pathname.replace('growing', '360p-growing'));
          expect(media.text.match(/#EXTINF/g)).to.have.lengthOf(firstSeconds / 4);
          return new URL(body.streamer).pathname;
        },
        { timeoutMs: 60_000 },
      );
      expect((await itemOf(boxId)).status).to.equal('PENDING');
      await open(async (page, see) => {
        await page.evaluate(`document.getElementById('player').hls.loadSource('${list}')`);
        await page.keyboard.press('Space');
        const begun = await playing(see);
        expect(begun.at).to.be.below(3);
        expect(begun.duration).to.be.closeTo(firstSeconds, 0.3);
        await moveTo(page, 8);
        await playing(see, 8.3);
        await eventually(async () => expect((await see()).at).to.be.above(firstSeconds - 0.5));
        release();
        await playing(see, firstSeconds + 0.5, 15);
        await eventually(async () => expect((await see()).duration).to.be.closeTo(seconds, 0.3), { timeoutMs: 30_000 });
        // The last chunk is listed shortly before the content is complete.
        await eventually(async () => expect((await itemOf(boxId)).status).to.equal('READY'), { timeoutMs: 30_000 });
        await moveTo(page, seconds - 2);
        await eventually(async () => expect((await see()).state).to.equal('fresh'), { timeoutMs: 20_000 });
      });
      expect((await api.call('DELETE', `/api/box/${boxId}`, { token: user.token })).status).to.equal(204);
    } finally {
      release();
    }
  });

  it('continues with the next segment if the copy has a damaged frame', async () => {
    const file = await damagedFilm();
    const sent = await upload(api, user, { title: 'A damaged film', file, fileName: 'film.mp4' });
    await eventually(async () => expect((await itemOf(sent.body.boxId)).status).to.equal('READY'), {
      timeoutMs: 60_000,
    });
    const damaged = await publishFree(api, user, sent.body.boxId);
    await open(async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see);
      await page.evaluate(`document.querySelector('video').pause()`);
      await moveTo(page, 6);
      const skipped = await eventually(
        async () => {
          const sight = await see();
          expect(sight.at).to.be.closeTo(8, 0.1);
          return sight;
        },
        { timeoutMs: 20_000 },
      );
      expect(skipped).to.include({ paused: true });
      await moveTo(page, 4.1);
      await page.evaluate(`void document.querySelector('video').play().catch(() => {})`);
      await playing(see, 8.3);
    }, damaged);
  });

  it('continues while its other renditions become ready, and offers them to new plays', async () => {
    await open(async (page, see, requested) => {
      await eventually(async () => expect((await see()).levels).to.deep.equal([360]));
      await page.evaluate(shortBuffer);
      await page.keyboard.press('Space');
      await playing(see);
      expect(await noteOf(page)).to.match(/^Better quality is being prepared: \d+%$/);
      await page.getByRole('button', { name: 'Quality' }).click();
      await page.getByRole('menuitemradio', { name: '360p', exact: true }).click();

      // The video must still play when its renditions are ready.
      await page.evaluate(`document.querySelector('video').playbackRate = 0.25`);
      const fullWorkers = await startWorkers(ctx, { queues: ['transcoding'] });
      try {
        await eventually(async () => expect(await itemOf(quickId)).to.not.have.property('preparing'), {
          timeoutMs: 60_000,
        });
      } finally {
        await fullWorkers.close();
      }
      expect((await itemOf(quickId)).renditions).to.deep.equal([
        { width: 426, height: 240 },
        { width: 640, height: 360 },
      ]);

      // A playback in progress continues with its generation, including files that were not loaded yet.
      expect(await see()).to.include({ paused: false });
      await page.evaluate(`document.querySelector('video').playbackRate = 1`);
      await moveTo(page, 16);
      await playing(see, 16.3);
      expect(requested.filter((path) => !path.includes('/g1/'))).to.deep.equal([]);
      await eventually(async () => expect(await noteOf(page)).to.match(/^Better quality is ready/), {
        timeoutMs: 20_000,
        everyMs: 500,
      });
      await page.evaluate(`document.querySelector('video').pause()`);
      await moveTo(page, 12);
      // The load of the better quality interrupts this promise.
      await page.evaluate(`void document.querySelector('video').play().catch(() => {})`);
      const better = await playing(see, 12.3);
      expect(better.levels).to.deep.equal([240, 360]);
      expect(better.at).to.be.below(16);
      expect(requested.at(-1)).to.include('/g2/');
      expect(await noteOf(page)).to.equal('');
      await page.getByRole('button', { name: 'Quality' }).click();
      await page.getByRole('menuitemradio', { name: '360p', exact: true, checked: true }).waitFor();
      await page.keyboard.press('Escape');
      await moveTo(page, seconds - 2);
      await eventually(async () => expect((await see()).state).to.equal('fresh'), { timeoutMs: 20_000 });
    });
    // A page that is opened after that.
    await open(async (page, see, requested) => {
      await eventually(async () => expect((await see()).levels).to.deep.equal([240, 360]));
      await page.keyboard.press('Space');
      await playing(see, 0.3);
      expect(requested.filter((path) => !path.includes('/g2/'))).to.deep.equal([]);
      expect(await noteOf(page)).to.equal('');
    });
  });
});

/** A video that is copied, in which the frames from 5 s to 7 s have bit errors. */
async function damagedFilm(): Promise<Buffer> {
  const path = await makeVideo({ seconds: 14, size: '320x180', coding: liveCoding });
  const file = await readFile(path);
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=pts_time,size,pos', '-of', 'csv=p=0'];
  for (const line of (await runTool('ffprobe', [...entries, path])).trim().split('\n')) {
    const [at = 0, bytes = 0, position = 0] = line.split(',').map(Number);
    if (at < 5 || at > 7) continue;
    // After the slice header.
    for (let offset = 60; offset < bytes; offset += 60) file[position + offset] = (file[position + offset] ?? 0) ^ 0x10;
  }
  return file;
}
