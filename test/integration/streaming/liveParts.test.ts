import { expect } from 'chai';
import { unwrittenBand } from '../../../shared/playback/bandCounter.js';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { LiveChannel } from '../../../shared/live/live.model.js';
import { eventually } from '../../support/eventually.js';
import { parseMedia } from '../../support/hlsPlaylist.js';
import { partBytes, expectWaiting, openPartsFixture } from '../../support/live/partsFixture.js';
import { openLiveFixture } from '../../support/liveFixture.js';
import { makeStream } from '../../support/liveStreams.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('the parts of GET /s/{grant}/live/{scope}', () => {
  const fixture = fixtureEach(openPartsFixture);

  const partsOf = async (): Promise<string[]> =>
    (await fixture.lowLatency()).parts.map(({ sequence, part }) => `${sequence}.${part}`);

  it('are listed for the last three segments and the unfinished one, with a hint of the next part', async () => {
    const parted = await fixture.openParted();
    await parted.segments(5);
    parted.part(2);
    const playlist = await fixture.read();
    const { parts, hint, reports } = playlist.lowLatency!;
    expect(playlist.segments.map(({ sequence }) => sequence)).to.deep.equal([0, 1, 2, 3, 4]);
    expect([...new Set(parts.map(({ sequence }) => sequence))]).to.deep.equal([2, 3, 4, 5]);
    expect(parts.slice(-2).map(({ isIndependent }) => isIndependent)).to.deep.equal([true, false]);
    expect(hint).to.equal(`${parted.run.runId}/5/2/720p.m4s`);
    expect(reports).to.deep.equal([{ uri: '240p.m3u8', sequence: 5, part: 1 }]);
    const rewind = await fixture.lowLatency('?dvr=1', '240p');
    expect(rewind.reports).to.deep.equal([{ uri: '720p.m3u8?dvr=1', sequence: 5, part: 1 }]);
    const delta = await fixture.get(`${fixture.path}720p.m3u8?dvr=1&_HLS_skip=YES&_HLS_msn=5&_HLS_part=1`);
    expect(parseMedia(delta.text).lowLatency?.parts).to.have.length(parts.length);
  });

  it('are waited for by playlist requests, and by a request for the hinted part', async () => {
    const parted = await fixture.openParted();
    await parted.segments(2);
    parted.part();
    await fixture.lowLatency();
    const began = performance.now();
    const blocked = [
      fixture.read('?_HLS_msn=2&_HLS_part=1'),
      fixture.read('?_HLS_msn=2&_HLS_part=1', '240p'),
      fixture.read('?_HLS_msn=2&_HLS_part=1&dvr=1'),
    ];
    const announced = fixture.get(fixture.path + (await fixture.lowLatency()).hint);
    await expectWaiting(blocked[0]!);
    parted.part();
    for (const playlist of await Promise.all(blocked))
      expect(playlist.lowLatency!.parts.at(-1)).to.include({ sequence: 2, part: 1 });
    const media = await announced;
    expect(media).to.include({ status: 200, text: partBytes(0, 2, 1, '720p') });
    expect(media.headers).to.include({ 'content-type': 'video/iso.segment' });
    const segment = fixture.read('?_HLS_msn=2');
    parted.part(2);
    await expectWaiting(segment);
    await parted.finish();
    expect((await segment).segments.at(-1)?.sequence).to.equal(2);
    expect(performance.now() - began).to.be.below(5_000);
  });

  it('are cached longer in playlists that contain the requested part', async () => {
    const parted = await fixture.openParted();
    await parted.segments(2);
    parted.part();
    await fixture.lowLatency();
    const cachingOf = async (query: string): Promise<unknown> =>
      (await fixture.get(`${fixture.path}720p.m3u8${query}`)).headers['cache-control'];
    expect(await cachingOf('?_HLS_msn=2&_HLS_part=0')).to.equal('private, max-age=6');
    for (const query of ['?_HLS_msn=0', '?_HLS_msn=0&_HLS_part=11'])
      expect(await cachingOf(query)).to.match(/max-age=6$/);
    expect(await cachingOf('?_HLS_msn=0&_HLS_part=12'), 'beyond the parts of any segment').to.equal('no-store');
    expect(await cachingOf('')).to.equal('private, max-age=1');
    const waiting = cachingOf('?_HLS_msn=2&_HLS_part=1');
    await endRun(fixture.ctx, { runId: parted.run.runId, reason: 'closed' });
    expect(await waiting, 'after the run has ended').to.equal('private, max-age=1, must-revalidate');
    expect(await cachingOf('?_HLS_msn=9'), 'without parts').to.equal('no-store');
  });

  it('continue in the next segment if a request names a part after its segment’s last one', async () => {
    const parted = await fixture.openParted();
    await parted.segments(2);
    await fixture.lowLatency();
    const next = fixture.read('?_HLS_msn=1&_HLS_part=4');
    await expectWaiting(next);
    parted.part();
    expect((await next).lowLatency!.parts.at(-1)).to.include({ sequence: 2, part: 0 });
  });

  it('return 400 for invalid numbers and those too far ahead, only with parts', async () => {
    const parted = await fixture.openParted();
    await parted.segments(2);
    parted.part();
    await fixture.lowLatency();
    for (const query of ['_HLS_msn=4', '_HLS_msn=2&_HLS_part=7', '_HLS_msn=-1', '_HLS_part=1'])
      expect((await fixture.get(`${fixture.path}720p.m3u8?${query}`)).status, query).to.equal(400);
    expect((await fixture.get(`${fixture.path}720p.m3u8?_HLS_msn=0&_HLS_part=0`)).status).to.equal(200);
  });

  it('are listed when all previous segments have rows', async () => {
    const parted = await fixture.openParted();
    await parted.segments(1);
    parted.part(4);
    await parted.finish({ stored: false });
    parted.part(2);
    await eventually(async () =>
      expect(await partsOf())
        .to.include('1.3')
        .and.not.include('2.0'),
    );
    await parted.storeRows();
    await eventually(async () => expect(await partsOf()).to.include('2.1'));
    await fixture.lowLatency();
  });

  it('are the run’s bytes, read from its process once and counted', async () => {
    const parted = await fixture.openParted();
    await parted.segments(1);
    parted.part();
    const { parts } = await fixture.lowLatency();
    const counted = (): number => [...unwrittenBand(fixture.ctx).values()].reduce((sum, bytes) => sum + bytes, 0);
    const before = counted();
    let bytes = 0;
    for (const { uri, sequence, part } of parts) {
      const { text } = await fixture.get(fixture.path + uri);
      expect(text).to.equal(partBytes(0, sequence, part, '720p'));
      bytes += text.length;
    }
    expect(counted() - before).to.equal(bytes);
    const last = parts.at(-1) ?? expect.fail('no part');
    expect(await fixture.get(fixture.path + last.uri, {}, 'HEAD')).to.include({ status: 200, text: '' });
    expect(counted() - before, 'HEAD counts nothing').to.equal(bytes);
    parted.store.end();
    expect((await fixture.get(fixture.path + last.uri)).text).to.equal(partBytes(0, last.sequence, last.part, '720p'));
  });

  it('are sent by this process also with a CDN, as is their initialisation segment before it is stored', async () => {
    const own = await openPartsFixture({ PLAYBACK_DELIVERY: 'redirect', CDN_URL: 'https://cdn.example/media/' });
    try {
      const run = await own.openParted();
      await run.segments(1);
      run.part();
      run.restart();
      run.part();
      const last = await eventually(async () => {
        const part = (await own.lowLatency()).parts.at(-1) ?? expect.fail('no part');
        expect(part).to.include({ discontinuity: 1 });
        return part;
      });
      const part = await own.get(own.path + last.uri);
      expect(part).to.include({ status: 200, text: partBytes(1, 0, 0, '720p') });
      const map = await own.get(own.path + last.map);
      expect([map.status, map.text]).to.deep.equal([200, `init ${run.run.runId} 1 720p`]);
      for (const { headers } of [part, map]) expect(headers).not.to.have.property('location');
      const [segment] = (await own.read()).segments;
      expect((await own.get(own.path + (segment?.uri ?? ''))).headers).to.have.property('location');
    } finally {
      await own.close();
    }
  });

  it('are accessible only in the scope of their segment', async () => {
    const parted = await fixture.openParted();
    const start = fixture.ctx.clock.now();
    await parted.segments(1);
    parted.part();
    const { parts, hint } = await fixture.lowLatency();
    const until = new Date(start.getTime() + 1_000);
    const over = fixture.pathOf(await fixture.makeEvent(new Date(start.getTime() - 1_000), until));
    const statusIn = async (scope: string, uri: string): Promise<number> => (await fixture.get(scope + uri)).status;
    expect(await statusIn(over, parts[0]?.uri ?? '')).to.equal(200);
    expect(await statusIn(over, parts.at(-1)?.uri ?? ''), 'before its first read').to.equal(404);
    expect(await statusIn(fixture.path, parts.at(-1)?.uri ?? '')).to.equal(200);
    expect(await statusIn(over, parts.at(-1)?.uri ?? ''), 'after another viewer read it').to.equal(404);
    expect((await fixture.read('', '720p', over)).lowLatency).to.equal(null);
    const other = await openLiveFixture();
    try {
      const elsewhere = other.pathOf(other.channelId);
      await other.publish(await other.openRun(), 1);
      expect((await other.get(elsewhere + (parts[0]?.uri ?? ''))).status).to.equal(404);
    } finally {
      await other.close();
    }
    const { streamId, ownerId } = await makeStream(fixture.ctx, fixture.ownerId);
    const times = { createdAt: start, updatedAt: start };
    await fixture.ctx.db.model(LiveChannel).create({ id: streamId, ownerId, name: 'Other', public: true, ...times });
    expect(await statusIn(fixture.pathOf(streamId), parts[0]?.uri ?? ''), 'another channel').to.equal(404);
    expect(hint).to.match(/\/1\/1\/720p\.m4s$/);
    expect(await statusIn(fixture.path, `${parted.run.runId}/7/0/720p.m4s`)).to.equal(404);
    expect(await statusIn(fixture.path, `${parted.run.runId}/1/0/480p.m4s`)).to.equal(404);
    parted.restart();
    parted.part();
    const map = await eventually(async () => {
      const part = (await fixture.lowLatency()).parts.at(-1) ?? expect.fail('no part');
      expect(part).to.include({ discontinuity: 1 });
      return part.map;
    });
    expect(await statusIn(over, map), 'initialisation segment after the end').to.equal(404);
    expect(await statusIn(fixture.path, map)).to.equal(200);
  });
});
