import { expect } from 'chai';
import { createCaption } from '../../shared/caption/caption.service.js';
import { syncRecording } from '../../shared/live/recording.lifecycle.js';
import { User } from '../../shared/user/user.model.js';
import { issueUserTokens } from '../../shared/oauth/token.service.js';
import { RecordingFixture } from '../support/live/recordingFixture.js';
import { startApi } from '../support/api.js';
import { browserFixture } from '../support/browser.js';
import { captionFile, chooseCaptions, latenessOfCues, watchCaptions } from './captionPage.js';
import { useFixture } from '../support/fixtures.js';
import { moveTo, playing, withPage } from '../support/playerPage.js';
import { makeRecordedEvent, makeSession, storeRun } from '../support/recordings.js';
import { describeWith, requirements } from '../support/requirements.js';

describeWith(requirements.chromium, 'the recording of an event in a browser', function () {
  this.timeout(60_000);
  const recordings = RecordingFixture.open(async () => ({ QUICK_GENERATION: 'true' }));
  const { browser, faults } = browserFixture();
  const api = useFixture(() => startApi(recordings.ctx));

  it('shows captions at their times across the join of two broadcasts, even after a rewind', async () => {
    const { ctx } = recordings;
    const event = await makeRecordedEvent(ctx, 60);
    await ctx.db.transaction((tx) => syncRecording(ctx, tx, event));
    for (const second of [0, 20]) {
      const startsAt = new Date(event.startsAt.getTime() + second * 1000);
      const published = [{ name: '90p', media: recordings.tenSeconds }];
      await storeRun(ctx, event, await makeSession(ctx, event, startsAt), startsAt, published);
    }
    ctx.clock.advance(120_000);
    await recordings.run(event);
    await recordings.ingest(event);
    const { id: contentId } = await recordings.contentOf(event);
    await createCaption(ctx, contentId, { language: 'en', file: Buffer.from(captionFile('word')) });
    const { id: userId, passwordHash } = await ctx.db.model(User).findByPk(event.ownerId, { rejectOnEmpty: true });
    const tokens = await issueUserTokens(ctx, { clientId: ctx.config.oauth.clients[0].id, userId, passwordHash });
    const [item] = await recordings.itemsOf(event);
    const { body } = await api.call('POST', `/api/box/${item?.id}/vod`, {
      token: tokens?.access_token ?? '',
      body: { licenseType: 'FREE' },
    });
    const options = { url: `${api.url}/embed/?vod=${body.vodId}`, options: {}, faults };
    await withPage(browser, options, async (page, see) => {
      await page.keyboard.press('Space');
      await playing(see);
      await chooseCaptions(page, 'English');
      await moveTo(page, 18);
      await playing(see, 18.1);
      await moveTo(page, 6);
      await page.evaluate(watchCaptions);
      await playing(see, 14, 8);
      // 7.2, 10.2 and 13.2: the second broadcast begins at 10.
      const late = await latenessOfCues(page, 6.5);
      expect(late).to.have.lengthOf(3);
      // A busy machine may delay one of them.
      expect(Math.min(...late)).to.be.within(-0.1, 0.1);
    });
  });
});
