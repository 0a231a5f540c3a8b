import { expect } from 'chai';
import { contentStateFeed } from '../../../shared/content/contentStateFeed.js';
import { watchStatements } from '../../support/statements.js';
import { eventually } from '../../support/eventually.js';
import { seedBoxItem, seedPrepared, seedPreparing, seedUnprepared } from '../../support/contents.js';
import { boxFixture } from './openBox.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { serviceFixture } from '../../support/service.js';

describe('GET /api/box/:boxId/status/events', () => {
  const { ctx, api, user, call } = boxFixture(serviceFixture({}));

  it('200: sends an event for every change, until the content is READY', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const events = await openEvents(boxId);
    expect(await events.next()).to.deep.equal({ status: 'PENDING', progress: 0 });
    await changeRow(ctx, Content, contentId, { state: 'READY', readyGeneration: 1 });
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100 });
    expect(await events.next()).to.equal(undefined);
  });

  it('200: reports a failed content at once, with the reason', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'FAILED' });
    await changeRow(ctx, Content, contentId, { failureKey: 'playback.notPlayable' });
    const events = await openEvents(boxId);
    expect(await events.next()).to.deep.equal({
      status: 'FAILED',
      progress: 0,
      message: ctx.translate('en', 'playback.notPlayable'),
    });
    expect(await events.next()).to.equal(undefined);
  });

  it('200: continues after READY while renditions are missing, and ends when all are stored', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await seedPreparing(ctx, contentId);
    const events = await openEvents(boxId);
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100, preparing: 52 });
    await ctx.db.change('UPDATE chunks SET progress = 0.5 WHERE content_id = $contentId AND position = 1', {
      contentId,
    });
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100, preparing: 76 });
    await seedPrepared(ctx, contentId);
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100 });
    expect(await events.next()).to.equal(undefined);
  });

  it('200: states why renditions are missing, and ends', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await seedPreparing(ctx, contentId);
    const events = await openEvents(boxId);
    await events.next();
    await seedUnprepared(ctx, contentId);
    const reason = ctx.translate('en', 'content.failure.unreadable');
    const message = ctx.translate('en', 'content.renditionsFailed', { reason });
    expect(await events.next()).to.deep.equal({ status: 'READY', progress: 100, message });
    expect(await events.next()).to.equal(undefined);
  });

  it('200: ends when the item is deleted', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const events = await openEvents(boxId);
    await events.next();
    await call('DELETE', `/api/box/${boxId}`);
    expect(await events.next()).to.equal(undefined);
  });

  it('returns 429 above 20 concurrent streams of one user', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const url = `${api.url}/api/box/${boxId}/status/events`;
    const streams = await Promise.all(
      Array.from({ length: 23 }, async () => {
        const abort = new AbortController();
        const response = await fetch(url, {
          headers: { authorization: `Bearer ${user.token}` },
          signal: abort.signal,
        });
        // A response without a reference is closed when garbage is collected.
        return { response, abort };
      }),
    );
    const refused = streams.filter(({ response }) => response.status === 429);
    for (const { abort } of streams) abort.abort();
    expect([streams.length - refused.length, refused.length]).to.deep.equal([20, 3]);
    await eventually(async () => {
      const response = await fetch(url, { method: 'HEAD', headers: { authorization: `Bearer ${user.token}` } });
      expect(response.status).to.equal(200);
    });
  });

  it('reads the rows once per change for all clients', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const listeners = await Promise.all(Array.from({ length: 20 }, () => openEvents(boxId)));
    await Promise.all(listeners.map((events) => events.next()));
    const statements = watchStatements();
    await changeRow(ctx, Content, contentId, { state: 'READY', readyGeneration: 1 });
    for (const event of await Promise.all(listeners.map((events) => events.next())))
      expect(event).to.include({ status: 'READY' });
    statements.stop();
    const asked = statements.seen.filter(({ text }) => /\b(contents|chunks)\b/.test(text));
    expect(asked).to.have.length.within(1, 7);
  });

  it('ends running and new streams when the feed closes', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { state: 'PENDING' });
    const events = await openEvents(boxId);
    await events.next();
    contentStateFeed(ctx).close();
    expect(await events.next()).to.equal(undefined);
    expect(await (await openEvents(boxId)).next()).to.equal(undefined);
  });

  async function openEvents(boxId: string): Promise<{ next(): Promise<unknown> }> {
    const response = await fetch(`${api.url}/api/box/${boxId}/status/events?access_token=${user.token}`);
    expect(response.headers.get('content-type')).to.equal('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    return {
      async next() {
        for (;;) {
          const event = /^event: status\ndata: (.*)\n\n/.exec(text);
          if (event) {
            text = text.slice(event[0].length);
            return JSON.parse(event[1] ?? '');
          }
          const part = await reader?.read();
          if (part?.done !== false) return undefined;
          text += part.value;
        }
      },
    };
  }
});
