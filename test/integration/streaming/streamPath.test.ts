import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { LiveStream, LiveRun } from '../../../shared/streaming/streaming.model.js';
import {
  claimStream,
  releaseStream,
  renamePath,
  streamingBaseUrl,
} from '../../../shared/streaming/streamPath.service.js';
import { makeRun, makeStream } from '../../support/liveStreams.js';
import { rejection } from '../../support/rejection.js';
import { serviceFixture } from '../../support/service.js';
import { createUser } from '../../support/users.js';

describe('a stream path', () => {
  const { ctx } = serviceFixture();

  const claim = (ownerId: string, path: string): Promise<void> =>
    ctx.db.transaction((tx) => claimStream(ctx, tx, { id: randomUUID(), ownerId, kind: 'LIVE_CHANNEL', path }));

  it('belongs to one stream, also after fifty concurrent claims', async () => {
    const ownerId = await createUser(ctx);
    const path = `claimed${randomUUID().slice(0, 8)}`;
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => claim(ownerId, path)));
    expect(results.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    for (const result of results)
      if (result.status === 'rejected') expect(result.reason).to.include({ key: 'streaming.pathTaken' });
    expect(await ctx.db.model(LiveStream).count({ where: { path } })).to.equal(1);
  });

  it('is renamed, unless the new path is in use', async () => {
    const stream = await makeStream(ctx);
    const other = await makeStream(ctx);
    const rename = (path: string): Promise<void> =>
      ctx.db.transaction((tx) => renamePath(ctx, tx, { id: stream.streamId, path }));
    expect(await rejection(rename(other.path))).to.include({ key: 'streaming.pathTaken' });
    await rename(stream.path);
    await rename(`${stream.path}-2`);
    const row = await ctx.db.model(LiveStream).findByPk(stream.streamId);
    expect(row?.path).to.equal(`${stream.path}-2`);
  });

  it('is free at once after its release, which ends its publication', async () => {
    const stream = await makeStream(ctx);
    const { runId } = await makeRun(ctx, stream);
    await ctx.db.transaction((tx) => releaseStream(ctx, tx, stream.streamId));
    await claim(stream.ownerId, stream.path);
    expect(await ctx.db.model(LiveRun).findByPk(runId)).to.include({ state: 'ENDED', endReason: 'channel deleted' });
  });

  it('is part of the encoder address with the service’s host, or with LIVE_BASE_URL', () => {
    const { live, service } = ctx.config;
    const config = { ...ctx.config, service: { ...service, publicUrl: 'https://video.example/platform' } };
    expect(streamingBaseUrl({ ...config, live: { ...live, baseUrl: null } })).to.equal(
      `rtmp://video.example:${live.rtmp.port}/live`,
    );
    expect(streamingBaseUrl({ ...config, live: { ...live, baseUrl: 'rtmps://in.example/x' } })).to.equal(
      'rtmps://in.example/x',
    );
  });
});
