import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { addProgram, type ProgramMembers } from '../../support/cast/playoutFixture.js';
import { bodyOf } from '../../support/api.js';
import { sharedService, useFixture } from '../../support/fixtures.js';
import { createLoggedInUser, type TestUser } from '../../support/users.js';
import { CastProgram, CastChannel } from '../../../shared/cast/cast.model.js';
import { changeRow, makeThumbnail } from '../../support/rows.js';

describe('GET /embed of a cast channel, GET /embed/cast', () => {
  const service = useFixture(sharedService);
  const owner = useFixture(() => createLoggedInUser(service.ctx));

  async function channel(name = 'Test television', by: TestUser = owner): Promise<string> {
    const body = { name, streamPath: `path-${randomBytes(6).toString('hex')}` };
    return bodyOf(201, await service.api.call('POST', '/api/cast/channel', { token: by.token, body })).channelId;
  }

  /** Adds a program from and until so many seconds after now. */
  const add = (channelId: string, [from, until]: [number, number], title: string, members: ProgramMembers = {}) =>
    addProgram(service.ctx, { channelId, owner }, [from / 60, until / 60], { type: 'LIVE', title, ...members });

  const page = (query: string, language = 'en') =>
    service.api.call('GET', `/embed/?${query}`, { headers: { 'accept-language': language } });
  const status = async (channelId: string) =>
    bodyOf(200, await service.api.call('GET', `/embed/cast?cast=${channelId}`)).status;
  const titles = async (channelId: string): Promise<string[]> =>
    (await status(channelId)).programs.map(({ title }: { title: string }) => title);

  it('returns 200 with the current program’s picture if the channel has none', async () => {
    const channelId = await channel();
    const poster = async () => / poster="([^"]*)"/.exec((await page(`cast=${channelId}`)).text)?.[1];
    const programId = await add(channelId, [-60, 60], 'Now');
    expect(await poster()).to.equal(undefined);
    const thumbnailId = await makeThumbnail(service.ctx, owner.userId);
    await changeRow(service.ctx, CastProgram, programId, { thumbnailId });
    expect(await poster()).to.include(`/asset/thumbnail/${thumbnailId}/`);
  });

  it('returns 200 with a page that has state and controls in every language, for frames on other sites', async () => {
    const channelId = await channel('Snow </script> & "ice"');
    for (const [language, now, next] of [
      ['en', 'Now', 'Next'],
      ['it', 'Ora', 'A seguire'],
      ['es', 'Ahora', 'A continuación'],
      ['fr', 'En ce moment', 'À suivre'],
      ['pt', 'Agora', 'A seguir'],
      ['de', 'Jetzt', 'Danach'],
    ] as const) {
      const { text, headers, status: code } = await page(`cast=${channelId}`, language);
      expect(code).to.equal(200);
      expect(text).to.include(`<html lang="${language}">`).and.include('Snow &lt;/script&gt; &amp; &quot;ice&quot;');
      expect(text).to.include(`>${now}</span>`).and.include(`>${next}</span>`);
      expect(text).to.include('media-live-button').and.include('data-cast="{&quot;title&quot;');
      expect(text.match(/<script/g)).to.have.lengthOf(1);
      expect(headers.get('content-security-policy')).to.include('frame-ancestors *').and.not.include('unsafe');
      expect(headers.get('x-frame-options')).to.equal(null);
    }
  });

  it('returns 200 with the current program, the one until a minute ago and those of the next two minutes', async () => {
    const channelId = await channel();
    await add(channelId, [-900, -300], 'Long ago');
    await add(channelId, [-300, -20], 'Just now');
    await add(channelId, [-20, 60], 'Present');
    await add(channelId, [60, 90], 'A break', { type: 'BREAK' });
    await add(channelId, [90, 100], 'Without rights', { failureKey: 'cast.licenseEnds' });
    await add(channelId, [100, 3600], 'Soon');
    await add(channelId, [3600, 7200], 'Later');
    await add(channelId, [7200, 9000], 'Much later');
    expect(await titles(channelId)).to.deep.equal(['Just now', 'Present', 'Soon', 'Later']);
    const { now, programs, validSeconds } = await status(channelId);
    expect(now).to.be.closeTo(service.ctx.clock.now().getTime(), 2000);
    expect(programs[1]).to.deep.equal({
      title: 'Present',
      startsAt: programs[0].endsAt,
      endsAt: programs[0].endsAt + 80_000,
    });
    expect(validSeconds).to.equal(120);
    expect(await titles(await channel()), 'of another channel').to.deep.equal([]);
  });

  it('returns 200 with a message in the request’s language if the publisher has used up the band', async () => {
    const other = await createLoggedInUser(service.ctx);
    const channelId = await channel('Without band', other);
    await recordBand(service.ctx, new Map([[other.userId, 5 * 1024 ** 3]]));
    const headers = { 'accept-language': 'it' };
    const response = await service.api.call('GET', `/embed/cast?cast=${channelId}`, { headers });
    expect(bodyOf(200, response).status).to.include({
      title: 'Without band',
      result: 'BAND_LIMIT_EXCEEDED',
      address: '',
      message: 'Per questo mese chi ha pubblicato il video non può mostrarne altri.',
    });
  });

  it('returns 404 without a channel and for a deleted one, also for the state', async () => {
    const channelId = await channel();
    expect((await page(`cast=${channelId}`)).status).to.equal(200);
    bodyOf(204, await service.api.call('DELETE', `/api/cast/channel/${channelId}`, { token: owner.token }));
    for (const id of [channelId, randomUUID(), 'nothing', `'; DROP TABLE users`, owner.userId]) {
      const { status: code, text } = await page(`cast=${encodeURIComponent(id)}`);
      expect(code).to.equal(404);
      expect(text).to.include('This channel is not available').and.not.include('<script');
      expect((await service.api.call('GET', `/embed/cast?cast=${encodeURIComponent(id)}`)).status).to.equal(404);
    }
    expect((await service.api.call('GET', '/embed/cast')).status).to.equal(404);
  });

  it('links to the newest channels on the start page', async () => {
    const channelId = await channel('Newest <b>');
    // Other files create channels in the same database, some with a clock that is ahead.
    await changeRow(service.ctx, CastChannel, channelId, { createdAt: new Date('9998-01-01') });
    const { text } = await service.api.call('GET', '/', { headers: { accept: 'text/html' } });
    expect(text).to.include(`href="/embed/?cast=${channelId}">Newest &lt;b&gt;</a>`);
    expect(text).to.include('href="/api/public/cast/channels.m3u"');
    await service.api.call('DELETE', `/api/cast/channel/${channelId}`, { token: owner.token });
  });
});
