import { expect } from 'chai';
import { publishSeconds } from '../../../support/licenses.js';
import { recordedServers } from '../../../support/hooks.js';
import { openHookService, type Publisher } from './hookService.js';
import { markEncoderLeft } from '../../../../shared/streaming/liveRun.lifecycle.js';
import { refusedEncoderOf } from '../../../../shared/streaming/refusedEncoder.service.js';
import { renewRun } from '../../../support/liveRun.js';
import { makeRun } from '../../../support/liveStreams.js';
import { changeRow } from '../../../support/rows.js';
import { User } from '../../../../shared/user/user.model.js';
import { integrationHeaders } from '../../../support/streams.js';
import { disableUser } from '../../../support/users.js';
import { useFixture, fixtureEach } from '../../../support/fixtures.js';

describe('hooks of every streaming server', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  const states = async () => (await service.runs(publisher.streamId)).map(({ state }) => state);

  for (const server of recordedServers) {
    const publish = (more: Partial<Publisher> = {}) => server.publish(service.api, { ...publisher, ...more });
    const end = (more: Partial<Publisher> = {}) => server.end(service.api, { ...publisher, ...more });

    it(`${server.name}: offer one run with a pull URL for twenty concurrent hooks of a publication`, async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => publish()));
      for (const response of responses) expect(server.isAllowed(response), response.text).to.equal(true);
      const runs = await service.runs(publisher.streamId);
      expect(runs).to.have.length(1);
      expect(runs[0]).to.include({
        state: 'OFFERED',
        source: 'PULL',
        pullUrl: `rtmp://127.0.0.1:1936/live/${publisher.path}`,
        clientAddress: '203.0.113.7',
        endReason: null,
      });
    });

    it(`${server.name}: reject all invalid encoders and offer no run`, async () => {
      const [other, withoutPassword] = [await service.publisher(), await service.publisher()];
      await changeRow(service.ctx, User, withoutPassword.userId, { livePassword: null });
      const responses = await Promise.all([
        ...['wrong', ''].map((pass) => publish({ pass })),
        ...['', 'nobody', '\u0000', 'x'.repeat(3000)].map((user) => publish({ user })),
        ...[other.path, 'unknown', '..'].map((path) => publish({ path })),
        server.publish(service.api, withoutPassword),
      ]);
      for (const response of responses)
        expect(server.isRefused(response), `${response.status} ${response.text}`).to.equal(true);
      const texts = responses.map(({ text }) => text.replace(/"timestamp":\d+/, ''));
      expect(new Set(texts).size).to.equal(1);
      await publishSeconds(service.ctx, publisher.userId, 10 * 3600);
      expect(server.isRefused(await publish()), 'used-up streaming hours').to.equal(true);
      await disableUser(service.ctx, other.userId);
      expect(server.isRefused(await server.publish(service.api, other)), 'a disabled user').to.equal(true);
      expect(await states()).to.deep.equal([]);
      expect(await service.runs(other.streamId)).to.deep.equal([]);
    });

    it(`${server.name}: end a run with its own connection, for any number of reports, but not with another connection`, async () => {
      await publish();
      expect(server.isAllowed(await end({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['OFFERED']);
      for (const response of await Promise.all([end(), end(), end()]))
        expect(server.isAllowed(response), response.text).to.equal(true);
      const [run, ...others] = await service.runs(publisher.streamId);
      expect([run?.state, run?.endReason, others]).to.deep.equal(['ENDED', 'ended by the streaming server', []]);
    });

    it(`${server.name}: reject a second publisher while media arrives, and show it to the owner`, async () => {
      await publish();
      await service.ctx.db.change(
        "UPDATE live_runs SET state = 'OPEN', lease_until = now() + interval '10 s', opened_at = $now, last_media_at = $now WHERE stream_id = $id",
        { id: publisher.streamId, now: service.ctx.clock.now() },
      );
      expect(server.isRefused(await publish({ connection: 2 }))).to.equal(true);
      await end({ connection: 2 });
      expect(await states()).to.deep.equal(['OPEN']);
      expect(await refusedEncoderOf(service.ctx, publisher.streamId)).to.include({
        ...{ reason: 'ALREADY_PUBLISHED', address: '203.0.113.7' },
      });
      // The first encoder has disconnected, and no hook has reported it.
      service.ctx.clock.advance(11_000);
      expect(server.isAllowed(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
      expect(await refusedEncoderOf(service.ctx, publisher.streamId)).to.equal(null);
    });

    it(`${server.name}: reject a second publisher in the first seconds`, async () => {
      await publish();
      expect(server.isRefused(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['OFFERED']);
      // The first publisher has never sent media.
      service.ctx.clock.advance(21_000);
      expect(server.isAllowed(await publish({ connection: 3 }))).to.equal(true);
      expect((await states()).at(-1)).to.equal('OFFERED');
    });

    it(`${server.name}: reject an encoder while another one publishes to the embedded server`, async () => {
      const { streamId, userId: ownerId } = publisher;
      const run = await makeRun(service.ctx, { streamId, ownerId, path: publisher.path });
      await renewRun(service.ctx, { ...run, lastMediaAt: service.ctx.clock.now(), receivedBytes: 1000 });
      expect(server.isRefused(await publish())).to.equal(true);
      expect(await states()).to.deep.equal(['OPEN']);
      await markEncoderLeft(service.ctx, run);
      expect(server.isAllowed(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
    });

    it(`${server.name}: return 400 for invalid bodies and 413 for long ones`, async () => {
      const path = `/rest/integration/hooks/${server.name}`;
      const send = async (body: string) =>
        (await service.api.call('POST', path, { headers: integrationHeaders(service.api), body })).status;
      for (const strange of ['', '[1', '{"a":1}'])
        expect(await send(strange), strange).to.equal(server.name === 'ovenmediaengine' ? 401 : 400);
      expect(await send(`{"a":"${'x'.repeat(20_000)}"}`)).to.equal(413);
    });
  }
});
