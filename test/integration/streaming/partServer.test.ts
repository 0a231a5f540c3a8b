import { expect } from 'chai';
import { signPartsRequest } from '../../../shared/streaming/lowLatency/signedRequest.js';
import { startPartServer } from '../../../workers/live/lowLatency/partServer.js';
import { openPartsFixture } from '../../support/live/partsFixture.js';
import { useFixture } from '../../support/fixtures.js';

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
