import { expect } from 'chai';
import sinon from 'sinon';
import { liveCaches, storedSegment } from '../../../shared/streaming/liveTimeline.js';
import { RefreshedCache } from '../../../shared/platform/refreshedCache.js';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { endIdleLiveSessions } from '../../../shared/streaming/liveSession.lifecycle.js';
import { parseMedia } from '../../support/hlsPlaylist.js';
import { openLiveFixture } from '../../support/liveFixture.js';
import { watchStatements } from '../../support/statements.js';
import { fixtureEach } from '../../support/fixtures.js';
import { LiveStream } from '../../../shared/streaming/streaming.model.js';
import { changeRow } from '../../support/rows.js';

describe('the playlists of GET /s/{grant}/live/{scope}', () => {
  const fixture = fixtureEach(() => openLiveFixture({ LIVE_DVR_SECONDS: '60' }));

  afterEach(async () => {
    sinon.restore();
  });

  const seconds = (count: number): Date => new Date(fixture.ctx.clock.now().getTime() + count * 1000);
  const mediaOf = async (path: string) => {
    const response = await fixture.get(path);
    expect(response.status, response.text).to.equal(200);
    return parseMedia(response.text);
  };

  it('follow the HLS rules while encoders drop, return, take over, drop renditions and stop, in both forms', async () => {
    let run = await fixture.openRun();
    await fixture.publish(run, 4);
    const readers = [
      await fixture.openReader(fixture.channelId),
      await fixture.openReader(fixture.channelId, '?dvr=1'),
    ];
    const read = async (): Promise<void> => {
      for (const reader of readers) {
        await reader.read();
        await reader.readMedia();
      }
    };
    await read();
    await fixture.publish(run, 6);
    await read();
    await endRun(fixture.ctx, { runId: run.runId, reason: 'closed' });
    fixture.ctx.clock.advance(50_000);
    await read();
    run = await fixture.openRun(['480p']);
    await fixture.publish(run, 2, { renditions: ['480p'], encoder: 'other' });
    await read();
    run = await fixture.openRun();
    await fixture.publish(run, 2);
    await read();
    await fixture.publish(run, 3, { renditions: ['240p'] });
    await read();
    await fixture.publish(run, 1, { renditions: ['240p'], durationSeconds: 0.7 });
    await endRun(fixture.ctx, { runId: run.runId, reason: 'closed' });
    await read();
    fixture.ctx.clock.advance(61_000);
    await endIdleLiveSessions(fixture.ctx);
    const [sliding, rewind] = await Promise.all(readers.map((reader) => reader.read()));
    expect(sliding!.get('720p')).to.include({ hasEnded: true });
    expect(rewind!.get('720p')).to.include({ hasEnded: true });
    expect(readers[1]!.segments('720p').map(({ discontinuity }) => discontinuity)).to.deep.equal([
      ...Array.from({ length: 10 }, () => 0),
      1,
      1,
      2,
      2,
      3,
      3,
      3,
      3,
    ]);
    expect(readers[0]!.segments('720p').at(-1)?.uri).to.match(/\/240p\.m4s$/);
  });

  it('return 200 with playlist headers, the same for HEAD without a body, and the nearest rendition for a missing one', async () => {
    await fixture.publish(await fixture.openRun(), 3);
    const path = fixture.pathOf(fixture.channelId);
    for (const name of ['master.m3u8', '720p.m3u8', '240p.m3u8?dvr=1']) {
      const response = await fixture.get(path + name);
      expect(response.status).to.equal(200);
      expect(response.headers).to.include({
        'content-type': 'application/vnd.apple.mpegurl',
        'cache-control': 'private, max-age=1',
        'access-control-allow-origin': '*',
        'content-length': String(response.text.length),
      });
      const head = await fixture.get(path + name, {}, 'HEAD');
      expect([head.status, head.text, head.headers['content-length']]).to.deep.equal([
        200,
        '',
        String(response.text.length),
      ]);
    }
    const missing = await fixture.get(`${path}1080p.m3u8`);
    expect(parseMedia(missing.text).segments[0]?.uri).to.match(/\/720p\.m4s$/);
    expect(missing.headers).to.include({ 'cache-control': 'no-store' });
  });

  it('stay unchanged while the encoder is away, and end with the session', async () => {
    const run = await fixture.openRun();
    await fixture.publish(run, 5);
    const path = `${fixture.pathOf(fixture.channelId)}720p.m3u8`;
    const before = (await fixture.get(path)).text;
    await endRun(fixture.ctx, { runId: run.runId, reason: 'closed' });
    for (const away of [1, 58]) {
      fixture.ctx.clock.advance(away * 1000);
      await endIdleLiveSessions(fixture.ctx);
      expect((await fixture.get(path)).text).to.equal(before);
    }
    fixture.ctx.clock.advance(2_000);
    await endIdleLiveSessions(fixture.ctx);
    expect((await fixture.get(path)).text).to.equal(`${before}#EXT-X-ENDLIST\n`);
    await fixture.openRun();
    expect((await fixture.get(path)).text, 'a new session without segments').to.equal(`${before}#EXT-X-ENDLIST\n`);
  });

  it('list the segments that start within the times of an event, and end with it, or ten seconds later without an encoder', async () => {
    const run = await fixture.openRun();
    await fixture.publish(run, 3);
    const eventId = await fixture.makeEvent(seconds(1), seconds(9));
    const path = `${fixture.pathOf(eventId)}720p.m3u8`;
    expect((await fixture.get(path)).status, 'before the event').to.equal(404);
    await fixture.publish(run, 3);
    expect((await mediaOf(path)).segments.map(({ sequence }) => sequence)).to.deep.equal([4, 5]);
    await fixture.publish(run, 2);
    expect(await mediaOf(path)).to.include({ hasEnded: false });
    await fixture.publish(run, 1);
    const after = await mediaOf(path);
    expect([after.segments.map(({ sequence }) => sequence), after.hasEnded]).to.deep.equal([[4, 5, 6, 7], true]);
    const silentId = await fixture.makeEvent(seconds(0), seconds(30));
    await fixture.publish(run, 3);
    const silent = `${fixture.pathOf(silentId)}720p.m3u8`;
    for (const [advance, hasEnded] of [
      [33_000, false],
      [2_000, true],
    ] as const) {
      fixture.ctx.clock.advance(advance);
      expect(await mediaOf(silent)).to.include({ hasEnded });
    }
  });

  it('reach back LIVE_DVR_SECONDS with rewind, across the sessions of an event', async () => {
    const eventId = await fixture.makeEvent(seconds(0), seconds(3600));
    const first = await fixture.openRun();
    await fixture.publish(first, 10);
    await endRun(fixture.ctx, { runId: first.runId, reason: 'closed' });
    fixture.ctx.clock.advance(61_000);
    const second = await fixture.openRun();
    await fixture.publish(second, 3);
    const path = fixture.pathOf(eventId);
    const sequencesOf = async (name: string): Promise<number[]> =>
      (await mediaOf(path + name)).segments.map(({ sequence }) => sequence);
    expect(await sequencesOf('720p.m3u8')).to.deep.equal([10, 11, 12]);
    // At least 16 seconds are listed, and the 60 seconds reach back only into the second session.
    expect(await sequencesOf('720p.m3u8?dvr=1')).to.deep.equal([5, 6, 7, 8, 9, 10, 11, 12]);
    await fixture.publish(second, 40);
    expect(await sequencesOf('720p.m3u8?dvr=1')).to.deep.equal(Array.from({ length: 30 }, (_, index) => 23 + index));
  });

  it('are compressed on request, and their delta updates omit the old part', async () => {
    await fixture.publish(await fixture.openRun(), 30);
    const path = `${fixture.pathOf(fixture.channelId)}720p.m3u8?dvr=1`;
    const plain = await fixture.get(path);
    expect(plain.headers).to.include({ vary: 'Accept-Encoding' }).and.not.have.property('content-encoding');
    const response = await fetch(fixture.api.url + path, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).to.equal('gzip');
    expect(Number(response.headers.get('content-length'))).to.be.below(plain.text.length / 4);
    expect(await response.text()).to.equal(plain.text);
    for (const query of ['&_HLS_skip=YES', '&_HLS_skip=v2'])
      expect(parseMedia((await fixture.get(path + query)).text)).to.include({ skipped: 24 });
    expect(parseMedia((await fixture.get(`${path}&_HLS_skip=NO`)).text)).to.include({ skipped: 0 });
    const reader = await fixture.openReader(fixture.channelId, '?dvr=1');
    await reader.read();
  });

  it('have no discontinuities and no gaps in the continuous form, across runs and sessions', async () => {
    for (const [encoder, awaySeconds] of [
      ['one', 30],
      ['two', 61],
      ['three', 1],
    ] as const) {
      const run = await fixture.openRun();
      await fixture.publish(run, 2, { encoder });
      await endRun(fixture.ctx, { runId: run.runId, reason: 'closed' });
      fixture.ctx.clock.advance(awaySeconds * 1000);
    }
    const path = `${fixture.pathOf(fixture.channelId)}continuous/`;
    for (const [name, file] of [
      ['video-720p', 'video-720p.m4s'],
      ['video-144p', 'video-240p.m4s'],
      ['audio', 'audio.m4s'],
    ]) {
      const { text } = await fixture.get(`${path}${name}.m3u8`);
      const { segments } = parseMedia(text);
      expect(segments.map(({ sequence, discontinuity }) => [sequence, discontinuity])).to.deep.equal([
        [4, 0],
        [5, 0],
      ]);
      expect(segments[0]!.uri).to.match(new RegExp(`/4/${file}$`));
      expect(segments[0]!.map).to.match(
        new RegExp(`/init/${name === 'audio' ? 'audio' : 'video'}/init-\\d+p-three.mp4$`),
      );
      expect(text).to.not.match(/DISCONTINUITY\n|PART|SERVER-CONTROL/);
    }
    const [first] = parseMedia((await fixture.get(`${path}video-720p.m3u8`)).text).segments;
    const [sessionId = ''] = first!.uri.split('/');
    const rows = await Promise.all([4, 5].map((sequence) => storedSegment(fixture.ctx, { sessionId, sequence })));
    expect(rows.map((row) => [row!.positionMicroseconds, row!.isJoin])).to.deep.equal([
      [8e6, true],
      [10e6, false],
    ]);
  });

  it('return 404 before any publication, for an unknown scope, and after the channel’s deletion', async () => {
    const path = fixture.pathOf(fixture.channelId);
    for (const name of ['master.m3u8', '720p.m3u8']) expect((await fixture.get(path + name)).status).to.equal(404);
    await fixture.publish(await fixture.openRun(), 3);
    expect((await fixture.get(`${path}master.m3u8`)).status).to.equal(200);
    const unknown = fixture.pathOf('5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a');
    expect((await fixture.get(`${unknown}master.m3u8`)).status).to.equal(404);
    for (const name of ['continuous/720p.m3u8', 'video-720p.m3u8', '99999p.m3u8', 'master.m3u8x', '720p.m3u8/x'])
      expect((await fixture.get(path + name)).status, name).to.equal(404);
    await changeRow(fixture.ctx, LiveStream, fixture.channelId, { path: null });
    expect((await fixture.get(`${path}720p.m3u8`)).status).to.equal(404);
  });

  it('need one query per second for a thousand viewers', async () => {
    Object.assign(liveCaches(fixture.ctx), { timelines: new RefreshedCache({ lifetimeMs: 1000, maxEntries: 100 }) });
    const run = await fixture.openRun();
    await fixture.publish(run, 10);
    const paths = Array.from({ length: 20 }, () => fixture.pathOf(fixture.channelId));
    await fixture.get(`${paths[0]!}720p.m3u8`);
    const statements = watchStatements();
    try {
      for (let round = 0; round < 5; round += 1)
        await Promise.all(paths.map((path) => fixture.get(`${path}720p.m3u8`)));
      const reads = statements.seen.filter(({ text }) => /live_/.test(text));
      // The reads of at most three seconds, on any machine.
      expect(reads.length).to.be.within(0, 4);
    } finally {
      statements.stop();
    }
  });

  it('are served from memory while the database is down', async () => {
    await fixture.publish(await fixture.openRun(), 3);
    const path = `${fixture.pathOf(fixture.channelId)}720p.m3u8`;
    const { text } = await fixture.get(path);
    sinon.stub(fixture.ctx.db, 'rows').rejects(new Error('the database is away'));
    const during = await fixture.get(path);
    expect([during.status, during.text]).to.deep.equal([200, text]);
  });
});
