import { expect } from 'chai';
import { seedBoxItem, seedPrepared, seedPreparing, seedUnprepared } from '../../support/contents.js';
import { boxFixture } from './openBox.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';

describe('GET /api/box/:boxId', () => {
  const { ctx, user, call } = boxFixture();

  it('200: returns an item as the contract defines it', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId, {
      title: 'Summer',
      description: 'At the sea',
      tags: ['sea', 'sun'],
      durationMs: 187_400,
    });
    const { body } = await call('GET', `/api/box/${boxId}`);
    expect(body).to.deep.equal({
      boxId,
      contentId: `urn:video:content:${contentId}`,
      title: 'Summer',
      description: 'At the sea',
      resourceId: contentId,
      duration: '3:07',
      tags: ['sea', 'sun'],
      source: 'UPLOAD',
      valueDate: body.valueDate,
      status: 'READY',
      vodCount: 0,
    });
  });

  it('200: formats dates in the caller’s time zone', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId, { expiresAt: new Date('2030-12-31T23:30:00Z') });
    expect((await call('GET', `/api/box/${boxId}`)).body.expirationDate).to.equal('31/12/2030');
    const local = await call('GET', `/api/box/${boxId}`, undefined, user, { 'X-Service-timezone': '3600000' });
    expect(local.body.expirationDate).to.equal('01/01/2031');
  });

  it('200: lists the playable renditions and the progress of the others', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await seedPreparing(ctx, contentId);
    const read = async () => (await call('GET', `/api/box/${boxId}`)).body;
    const quick = await read();
    expect(quick).to.deep.include({ status: 'READY', renditions: [{ width: 640, height: 360 }], preparing: 52 });
    expect(quick).to.not.have.property('message');
    const found = await call('POST', '/api/search/box/contents', {});
    expect(found.body.items.find((item: { boxId: string }) => item.boxId === boxId)).to.deep.include({ preparing: 52 });
    await seedPrepared(ctx, contentId);
    expect(await read())
      .to.include({ status: 'READY' })
      .and.not.have.any.keys('preparing', 'renditions');
  });

  it('200: names failures and missing parts in the caller’s language', async () => {
    const tooLarge = Array.from({ length: 11 }, () => ({ label: 'Deutsch', reason: 'tooLarge' as const }));
    const leftOutSubtitles = [...tooLarge, { label: 'English', reason: 'unreadable' as const, cues: 3 }];
    const list = `${'Deutsch (troppo testo), '.repeat(10)}…`;
    const leftOut =
      `${ctx.translate('it', 'content.endMissing', { seconds: 2 })} Sottotitoli del file che mancano: ${list}. ` +
      'Alcuni sottotitoli del file, che non possono essere mostrati, sono stati tralasciati: English (3).';
    for (const [columns, message] of [
      [{ state: 'FAILED', failureKey: 'playback.notPlayable' }, ctx.translate('it', 'playback.notPlayable')],
      [{ missingEndSeconds: 2.4 }, ctx.translate('it', 'content.endMissing', { seconds: 2 })],
      [
        { leftOutAudio: ['Deutsch', 'Audio 9'] },
        ctx.translate('it', 'content.audioLeftOut', { list: 'Deutsch, Audio 9' }),
      ],
      [{ leftOutSubtitles, missingEndSeconds: 2.4 }, leftOut],
    ] as const) {
      const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
      await changeRow(ctx, Content, contentId, columns);
      const { body } = await call('GET', `/api/box/${boxId}`, undefined, user, { 'accept-language': 'it' });
      expect(body).to.include({ status: 'READY', ...('state' in columns ? { status: 'FAILED' } : {}), message });
    }
  });

  it('200: states why the other renditions are missing', async () => {
    const { boxId, contentId } = await seedBoxItem(ctx, user.userId);
    await seedPreparing(ctx, contentId);
    await seedUnprepared(ctx, contentId);
    const { body } = await call('GET', `/api/box/${boxId}`, undefined, user, { 'accept-language': 'fr' });
    const reason = ctx.translate('fr', 'content.failure.unreadable');
    const message = ctx.translate('fr', 'content.renditionsFailed', { reason });
    expect(body).to.deep.include({ status: 'READY', renditions: [{ width: 640, height: 360 }], message });
    expect(body).to.not.have.property('preparing');
  });

  it('200: counts the publications of the item', async () => {
    const { boxId } = await seedBoxItem(ctx, user.userId);
    for (const licenseType of ['FREE', 'FREE']) await call('POST', `/api/box/${boxId}/vod`, { licenseType });
    expect((await call('GET', `/api/box/${boxId}`)).body.vodCount).to.equal(2);
  });
});
