import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { endRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { liveCaches } from '../../../shared/streaming/liveTimeline.js';
import { PartsCache } from '../../../shared/streaming/lowLatency/partsCache.js';
import { startPartServer } from '../../../workers/live/lowLatency/partServer.js';
import { eventually } from '../../support/eventually.js';
import type { LiveFixture } from '../../support/liveFixture.js';
import { loseLease } from '../../support/liveStreams.js';
import { fixtureEach, useFixture } from '../../support/fixtures.js';
import { expectWaiting, openPartsFixture, partBytes, type PartedRun } from '../../support/live/partsFixture.js';
import { signPartsRequest } from '../../../shared/streaming/lowLatency/signedRequest.js';

/** Longer than a state needs to arrive, much shorter than the maximum wait of a request. */
const soonMs = 1_500;

describe('lost parts of GET /s/{grant}/live/{scope}', () => {
  const fixture = fixtureEach(openPartsFixture);

  it('disappear with a discarded segment, which restarts after a discontinuity under other URLs', async () => {
    const parted = await fixture.openParted();
    await parted.segments(2);
    parted.part(2);
    const before = await fixture.lowLatency();
    parted.restart();
    parted.part();
    await eventually(async () =>
      expect((await fixture.lowLatency()).parts.at(-1)).to.include({ discontinuity: 1, part: 0 }),
    );
    const playlist = await fixture.read();
    const part = playlist.lowLatency!.parts.at(-1) ?? expect.fail('no part');
    expect(before.parts.map(({ uri }) => uri)).not.to.include(part.uri);
    expect((await fixture.get(fixture.path + part.map)).text, 'initialisation segment before its row').to.match(
      /^init .* 1 720p$/,
    );
    expect((await fixture.get(fixture.path + (before.parts.at(-1)?.uri ?? ''))).status).to.equal(503);
    parted.part(3);
    await parted.finish();
    await eventually(async () =>
      expect((await fixture.read()).segments.at(-1)).to.include({ sequence: 2, discontinuity: 1 }),
    );
  });

  it('disappear with a run that is taken over, and waiting requests are answered', async () => {
    const first = await fixture.openParted();
    await first.segments(2);
    first.part(2);
    const { parts } = await fixture.lowLatency();
    expect((await fixture.get(fixture.path + (parts[0]?.uri ?? ''))).text).to.equal(partBytes(0, 0, 0, '720p'));
    const began = performance.now();
    const waiting = fixture.read('?_HLS_msn=2&_HLS_part=2');
    const announced = fixture.get(fixture.path + (await fixture.lowLatency()).hint);
    const second = await fixture.openParted();
    fixture.server.end(first.run.runId);
    expect((await waiting).segments.at(-1)?.sequence).to.equal(1);
    expect((await announced).status).to.equal(503);
    expect(performance.now() - began).to.be.below(soonMs);
    // The bytes differ from those of the first run under the same numbers.
    second.restart();
    second.part();
    const uri = await eventually(async () => {
      const part = (await fixture.lowLatency()).parts.at(-1);
      expect(part).to.include({ sequence: 2, part: 0, discontinuity: 1 });
      expect(part?.uri).to.include(second.run.runId);
      return part?.uri ?? '';
    });
    expect((await fixture.get(fixture.path + uri)).text).to.equal(partBytes(1, 0, 0, '720p'));
  });

  it('disappear with the run or lease of their process, whatever it serves', async () => {
    for (const lose of [
      ({ runId }: PartedRun['run']) => endRun(fixture.ctx, { runId, reason: 'closed' }),
      (run: PartedRun['run']) => loseLease(fixture.ctx, run),
    ]) {
      const parted = await fixture.openParted();
      await parted.segments(1);
      parted.part();
      await fixture.lowLatency();
      await lose(parted.run);
      await eventually(async () => expect((await fixture.read()).lowLatency).to.equal(null), { timeoutMs: 3_000 });
    }
  });

  it('disappear while their process is unreachable, and return with it', async () => {
    const parted = await fixture.openParted();
    await parted.segments(2);
    parted.part();
    await fixture.lowLatency();
    const waiting = fixture.read('?_HLS_msn=2&_HLS_part=1');
    await fixture.server.close();
    const began = performance.now();
    expect((await waiting).lowLatency).to.equal(null);
    expect((await fixture.read('?_HLS_msn=9')).segments.at(-1)?.sequence).to.equal(1);
    expect(performance.now() - began).to.be.below(soonMs);
    const again =
      (await startPartServer(withPort(fixture, new URL(fixture.server.url).port))) ?? expect.fail('no server');
    again.open(parted.run.runId);
    await eventually(async () => expect((await fixture.read()).lowLatency).not.to.equal(null), { timeoutMs: 8_000 });
    await again.close();
  });

  it('are omitted if another program listens at their address', async () => {
    const stranger = createServer((_request, response) => response.end('{"segments": "many"}')).listen(0, '127.0.0.1');
    await once(stranger, 'listening');
    const url = `http://127.0.0.1:${(stranger.address() as AddressInfo).port}`;
    const run = await fixture.openRun(undefined, url);
    await fixture.publish(run, 2);
    expect((await fixture.read()).lowLatency).to.equal(null);
    stranger.closeAllConnections();
    stranger.close();
  });
});

describe('GET /s/{grant}/live/{scope} requests that wait for parts', () => {
  const fixture = fixtureEach(openPartsFixture);
  const parted = fixtureEach(() => fixture.openParted());

  beforeEach(async () => {
    await parted.segments(2);
    parted.part();
  });

  it('are answered when the process stops, and no further ones wait', async () => {
    const { hint } = await fixture.lowLatency();
    const waiting = fixture.read('?_HLS_msn=2&_HLS_part=1');
    const announced = fixture.get(fixture.path + hint);
    await Promise.all([expectWaiting(waiting), expectWaiting(announced)]);
    const began = performance.now();
    liveCaches(fixture.ctx).parts.close();
    expect((await waiting).segments.at(-1)?.sequence).to.equal(1);
    expect((await announced).status).to.equal(503);
    expect((await fixture.read('?_HLS_msn=3')).lowLatency).to.equal(null);
    expect(performance.now() - began).to.be.below(soonMs);
  });

  it('are limited: further ones get complete segments, and disconnected clients release their slots', async () => {
    const parts = new PartsCache({ maxWaiting: 3 });
    Object.assign(liveCaches(fixture.ctx), { parts });
    const { hint } = await fixture.lowLatency();
    const leaving = new AbortController();
    const left = ['720p.m3u8?_HLS_msn=2&_HLS_part=1', hint].map((asked) =>
      fetch(fixture.api.url + fixture.path + asked, { signal: leaving.signal }).catch(() => 'left'),
    );
    const waiting = fixture.read('?_HLS_msn=2&_HLS_part=1');
    await eventually(() => expect(parts.isFull).to.equal(true));
    const began = performance.now();
    expect((await fixture.read('?_HLS_msn=2&_HLS_part=1')).lowLatency).to.equal(null);
    expect((await fixture.get(fixture.path + hint)).status).to.equal(503);
    leaving.abort();
    expect(await Promise.all(left)).to.deep.equal(['left', 'left']);
    await eventually(() => expect(parts.isFull).to.equal(false), { timeoutMs: soonMs });
    expect(performance.now() - began).to.be.below(2 * soonMs);
    const next = ['720p', '240p'].map((name) => fixture.read('?_HLS_msn=2&_HLS_part=1', name));
    for (const one of next) await expectWaiting(one);
    parted.part();
    for (const { lowLatency } of await Promise.all([waiting, ...next]))
      expect(lowLatency?.parts.at(-1)).to.include({ sequence: 2, part: 1 });
  });
});

function withPort({ ctx }: LiveFixture, port: string): LiveFixture['ctx'] {
  const live = { ...ctx.config.live, parts: { host: '127.0.0.1', port: Number(port), url: null } };
  return { ...ctx, config: { ...ctx.config, live } };
}

describe('the port for live parts', () => {
  const fixture = useFixture(openPartsFixture);

  it('requires a signature of exactly this request from the last minute', async () => {
    const { ctx, server } = fixture;
    const parted = await fixture.openParted();
    parted.part();
    const path = `/runs/${parted.run.runId}?after=-1`;
    const now = ctx.clock.now();
    const status = async (authorization: string | null, asked = path, method = 'GET'): Promise<number> => {
      const headers = authorization === null ? {} : { authorization };
      return (await fetch(server.url + asked, { method, headers })).status;
    };
    const right = signPartsRequest(ctx.config, path, now);
    expect(await status(right)).to.equal(200);
    expect(await status(right, path, 'POST')).to.equal(405);
    const otherKey = { ...ctx.config, encryptionKey: 'ab'.repeat(32) };
    for (const wrong of [
      null,
      '',
      'Parts 0.',
      `${right}x`,
      right.replace(/.$/, right.endsWith('A') ? 'B' : 'A'),
      signPartsRequest(ctx.config, `/runs/${parted.run.runId}/0/0/720p`, now),
      signPartsRequest(otherKey, path, now),
      signPartsRequest(ctx.config, path, new Date(now.getTime() - 61_000)),
      signPartsRequest(ctx.config, path, new Date(now.getTime() + 3_600_000)),
    ])
      expect(await status(wrong), String(wrong)).to.equal(401);
    for (const unknown of [
      '/runs/x?after=0',
      '/',
      `/runs/${parted.run.runId}/0/9/720p`,
      `/runs/${parted.run.runId}/../x`,
    ])
      expect(
        await status(signPartsRequest(ctx.config, new URL(unknown, server.url).pathname, now), unknown),
      ).to.be.oneOf([401, 404]);
  });

  it('is closed without low latency', async () => {
    const { config } = fixture.ctx;
    const ctx = { ...fixture.ctx, config: { ...config, live: { ...config.live, parts: null } } };
    expect(await startPartServer(ctx)).to.equal(null);
  });
});
