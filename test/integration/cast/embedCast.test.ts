import { randomBytes, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { recordBand } from '../../../shared/license/band.service.js';
import { flatAnimation } from '../../support/images.js';
import { bodyOf } from '../../support/responses.js';
import { sharedService } from '../../support/service.js';
import { createLoggedInUser } from '../../support/users.js';
import { useFixture } from '../../support/fixtures.js';
import { CastProgram, CastChannel } from '../../../shared/cast/cast.model.js';
import { changeRows, changeRow } from '../../support/rows.js';

interface Seeded {
  readonly title: string;
  /** Seconds from now, also in `until`. */
  readonly from: number;
  readonly until: number;
  readonly type?: string;
  readonly failureKey?: string;
}

describe('GET /embed of a cast channel, GET /embed/cast', () => {
  const service = useFixture(sharedService);
  const owner = useFixture(() => createLoggedInUser(service.ctx));

  async function channel(name = 'Test television'): Promise<string> {
    const body = { name, streamPath: `path-${randomBytes(6).toString('hex')}` };
    return bodyOf(201, await service.api.call('POST', '/api/cast/channel', { token: owner.token, body })).channelId;
  }

  async function seed(channelId: string, programs: readonly Seeded[]): Promise<void> {
    const now = service.ctx.clock.now().getTime();
    for (const { title, from, until, type = 'LIVE', failureKey = null } of programs) {
      await service.ctx.db.change(
        `INSERT INTO cast_programs (id, channel_id, owner_id, starts_at, ends_at, type, stream_id, title, failure_key, created_at, updated_at)
         VALUES ($id, $channelId, $ownerId, $startsAt, $endsAt, $type, $streamId, $title, $failureKey, $startsAt, $startsAt)`,
        {
          ...{ id: randomUUID(), channelId, ownerId: owner.userId, type, title, failureKey },
          streamId: type === 'LIVE' ? randomUUID() : null,
          startsAt: new Date(now + from * 1000),
          endsAt: new Date(now + until * 1000),
        },
      );
    }
  }

  const page = (query: string, language = 'en') =>
    service.api.call('GET', `/embed/?${query}`, { headers: { 'accept-language': language } });
  const status = async (channelId: string) =>
    bodyOf(200, await service.api.call('GET', `/embed/cast?cast=${channelId}`)).status;
  const titles = async (channelId: string): Promise<string[]> =>
    (await status(channelId)).programs.map(({ title }: { title: string }) => title);

  it('returns 200 with the current program’s picture if the channel has none', async () => {
    const channelId = await channel();
    const poster = async () => / poster="([^"]*)"/.exec((await page(`cast=${channelId}`)).text)?.[1];
    await seed(channelId, [{ title: 'Now', from: -60, until: 60 }]);
    expect(await poster()).to.equal(undefined);
    const form = new FormData();
    form.append('thumbnail', new Blob([await flatAnimation(8, 8, 2)]), 'picture.gif');
    const { thumbnailId } = bodyOf(
      201,
      await service.api.call('POST', '/api/thumbnail', { token: owner.token, body: form }),
    );
    await changeRows(service.ctx, CastProgram, { channelId }, { thumbnailId });
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
    await seed(channelId, [
      { title: 'Long ago', from: -900, until: -300 },
      { title: 'Just now', from: -300, until: -20 },
      { title: 'Present', from: -20, until: 60 },
      { title: 'A break', from: 60, until: 90, type: 'BREAK' },
      { title: 'Without rights', from: 90, until: 100, failureKey: 'cast.licenseEnds' },
      { title: 'Soon', from: 100, until: 3600 },
      { title: 'Later', from: 3600, until: 7200 },
      { title: 'Much later', from: 7200, until: 9000 },
    ]);
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
    const body = { name: 'Without band', streamPath: `path-${randomBytes(6).toString('hex')}` };
    const created = await service.api.call('POST', '/api/cast/channel', { token: other.token, body });
    const { channelId } = bodyOf(201, created);
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

  it('returns 404 without a channel, also for the state', async () => {
    for (const id of [randomUUID(), 'nothing', `'; DROP TABLE users`, owner.userId]) {
      const { status: code, text } = await page(`cast=${encodeURIComponent(id)}`);
      expect(code).to.equal(404);
      expect(text).to.include('This channel is not available').and.not.include('<script');
      expect((await service.api.call('GET', `/embed/cast?cast=${encodeURIComponent(id)}`)).status).to.equal(404);
    }
    expect((await service.api.call('GET', '/embed/cast')).status).to.equal(404);
  });

  it('returns 404 for a deleted channel and a disabled publisher', async () => {
    const channelId = await channel();
    expect((await page(`cast=${channelId}`)).status).to.equal(200);
    bodyOf(204, await service.api.call('DELETE', `/api/cast/channel/${channelId}`, { token: owner.token }));
    expect((await page(`cast=${channelId}`)).status).to.equal(404);
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
