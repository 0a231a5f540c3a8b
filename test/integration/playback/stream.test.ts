import { expect } from 'chai';
import sinon from 'sinon';
import { usageOf } from '../../../shared/license/usage.service.js';
import { countBand, flushBand, startBandCounter } from '../../../shared/playback/bandCounter.js';
import { eventually } from '../../support/eventually.js';
import { seedBoxItem, seedStream, type SeededItem } from '../../support/rows.js';
import { openStreamFixture } from '../../support/streamFixture.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /s/{grant}/{path}', () => {
  const fixture = useFixture(openStreamFixture);
  let full: string;

  before(async () => {
    full = await fixture.pathOf(fixture.item);
  });

  describe('with a valid grant', () => {
    it('returns 200 with content type and caching of each kind of file', async () => {
      const types = { m3u8: 'application/vnd.apple.mpegurl', m4s: 'video/iso.segment', mp4: 'video/mp4' };
      for (const [path, bytes] of fixture.files) {
        const response = await fixture.get(full + path);
        const kind = path.split('.').at(-1) as keyof typeof types;
        expect(response.status, path).to.equal(200);
        expect(response.text === bytes.toString(), path).to.equal(true);
        expect(response.headers['content-type']).to.equal(types[kind]);
        expect(response.headers['cache-control']).to.equal(
          kind === 'm3u8' ? 'private, max-age=60' : 'public, max-age=31536000, immutable',
        );
        expect(response.headers['access-control-allow-origin']).to.equal('*');
        expect(response.headers['x-content-type-options']).to.equal('nosniff');
      }
    });

    it('returns 200, 206, 304, 412 and 416 for HEAD, ranges and validators', async () => {
      const path = `${full}240p/s0.m4s`;
      const complete = fixture.files.get('240p/s0.m4s')!;
      const head = await fixture.get(path, {}, 'HEAD');
      expect([head.status, head.headers['content-length'], head.text.length]).to.deep.equal([200, '200000', 0]);
      const part = await fixture.get(path, { range: 'bytes=10-19' });
      expect([part.status, part.headers['content-range'], part.text]).to.deep.equal([
        206,
        'bytes 10-19/200000',
        complete.subarray(10, 20).toString(),
      ]);
      const beyond = await fixture.get(path, { range: 'bytes=200000-' });
      expect([beyond.status, beyond.headers['content-range']]).to.deep.equal([416, 'bytes */200000']);
      const etag = String(head.headers['etag']);
      expect(etag).to.match(/^"/);
      expect((await fixture.get(path, { 'if-none-match': etag })).status).to.equal(304);
      expect((await fixture.get(path, { 'if-match': '"other"' })).status).to.equal(412);
      expect((await fixture.get(path, { range: 'bytes=0-1', 'if-range': '"other"' })).status).to.equal(200);
    });

    it('returns 204 for the preflight request of another site, also with ranges', async () => {
      const headers = {
        origin: 'https://elsewhere.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'range',
      };
      const response = await fixture.get(`${full}master.m3u8`, headers, 'OPTIONS');
      expect(response.status).to.equal(204);
      expect(response.headers['access-control-allow-origin']).to.equal('*');
      expect(response.headers['access-control-allow-headers']).to.match(/range/i);
    });

    it('returns 405 for other methods', async () => {
      for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
        const response = await fixture.get(`${full}master.m3u8`, {}, method);
        expect([method, response.status]).to.deep.equal([method, 405]);
      }
    });

    it('returns 404 for a missing file, and for a file that does not belong to a stream', async () => {
      await fixture.ctx.storage.put(`${fixture.item.folder}notes.txt`, Buffer.from('ours'), {
        contentType: 'text/plain',
      });
      for (const path of ['240p/s1.m4s', '240p', 'notes.txt', 'master', 'master.m3u8.bak'])
        expect((await fixture.get(full + path)).status, path).to.equal(404);
    });
  });

  describe('with the publisher’s traffic', () => {
    const band = async () => (await usageOf(fixture.ctx, fixture.owner.userId)).bandBytes;

    it('counts every byte, without a write per request', async () => {
      await flushBand(fixture.ctx);
      const before = await band();
      const path = await fixture.pathOf(fixture.item);
      await fixture.get(`${path}240p/s0.m4s`);
      await fixture.get(`${path}240p/s0.m4s`, { range: 'bytes=0-999' });
      await fixture.get(`${path}240p/s0.m4s`, {}, 'HEAD');
      const { headers } = await fixture.get(`${path}240p/init.mp4`);
      await fixture.get(`${path}240p/init.mp4`, { 'if-none-match': String(headers['etag']) });
      await fixture.get(`${path}none.m4s`);
      expect(await band()).to.equal(before);
      await eventually(async () => {
        await flushBand(fixture.ctx);
        expect((await band()) - before).to.equal(200_000 + 1000 + 700);
      });
    });

    it('writes the count when the process ends, and keeps it while the database is down', async () => {
      const before = await band();
      const stop = startBandCounter(fixture.ctx);
      countBand(fixture.ctx, fixture.owner.userCode, 7);
      const away = sinon.stub(fixture.ctx.db, 'change').rejects(new Error('away'));
      let failure: unknown;
      await flushBand(fixture.ctx).catch((error: unknown) => (failure = error));
      away.restore();
      expect(failure).to.be.an('error');
      expect(await band()).to.equal(before);
      countBand(fixture.ctx, 'nobody', 1);
      await stop();
      expect((await band()) - before).to.equal(7);
    });
  });

  describe('with an invalid grant or path', () => {
    let preview: string;
    let other: SeededItem;

    before(async () => {
      preview = await fixture.pathOf(fixture.item, 'preview');
      other = await seedBoxItem(fixture.ctx, fixture.owner.userId);
      await seedStream(fixture.ctx, other.folder);
    });

    const refused = async (path: string, allowed: readonly number[] = [403]) => {
      const response = await fixture.get(path);
      expect(allowed, `${path} responded ${response.status}`).to.include(response.status);
      const body = JSON.parse(response.text);
      expect(body).to.include({ status: response.status });
      expect(response.headers['cache-control']).to.equal('no-store');
      return body;
    };

    it('returns 403 for a forged grant, which test/unit/playback/grant.test.ts checks in every part, or another content’s', async () => {
      const [, , grant = ''] = full.split('/');
      const foreign = full.replace(fixture.item.contentId, other.contentId);
      for (const base of [
        full.replace(grant, grant.replace(/[^.]+$/, 'A'.repeat(22))),
        preview.replace('.preview.', '.full.'),
        full.replace('/g1/', '/g2/'),
        foreign,
      ])
        await refused(`${base}master.m3u8`);
      for (const file of ['240p/s0.m4s', 'preview/master.m3u8']) await refused(foreign + file);
    });

    it('returns 403 for paths with `..`, empty segments or escapes', async () => {
      const target = `${other.contentId}/g1/master.m3u8`;
      const climbs = [
        `../../${target}`,
        `..%2f..%2f${target}`,
        `%2e%2e%2f%2e%2e%2f${target}`,
        `..%252f..%252f${target}`,
        `..\\..\\${target}`,
        `240p//s0.m4s`,
        `/etc/passwd`,
        `master.m3u8%00`,
        `.unfinished`,
      ];
      for (const climb of climbs) await refused(full + climb, [400, 403, 404]);
      const segment = full.split('/')[2];
      for (const path of ['', '/', '/sources/x/original', `/../${target}`])
        await refused(`/s/${segment}${path}`, [403, 404]);
    });

    it('returns 403 for a preview grant and a file outside the preview', async () => {
      expect((await fixture.get(`${preview}preview/master.m3u8`)).status).to.equal(200);
      expect((await fixture.get(`${preview}preview/240p/s0.m4s`)).status).to.equal(200);
      const beyond = ['master.m3u8', '240p/s0.m4s', 'preview/../240p/s0.m4s', 'preview/..%2f240p/s0.m4s'];
      for (const file of beyond) await refused(preview + file, [400, 403, 404]);
    });

    it('returns 403 for an expired grant, in the request’s language', async () => {
      const path = await fixture.pathOf(fixture.item);
      fixture.ctx.clock.advance(60_000 * 1.5 + 600_000 - 1000);
      expect((await fixture.get(`${path}240p/s0.m4s`)).status).to.equal(200);
      fixture.ctx.clock.advance(2000);
      const response = await fixture.get(`${path}240p/s0.m4s`, { 'accept-language': 'es' });
      expect(response.status).to.equal(403);
      expect(JSON.parse(response.text).message).to.match(/caducado/);
    });
  });
});
