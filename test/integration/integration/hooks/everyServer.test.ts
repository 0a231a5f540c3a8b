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

describe('Hooks of every streaming server', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  const states = async () => (await service.runs(publisher.streamId)).map(({ state }) => state);

  for (const server of recordedServers) {
    const publish = (more: Partial<Publisher> = {}) => server.publish(service.api, { ...publisher, ...more });
    const end = (more: Partial<Publisher> = {}) => server.end(service.api, { ...publisher, ...more });

    it(`${server.name}: twenty hooks of one publication at once offer one run, with the address to pull`, async () => {
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

    it(`${server.name}: wrong encoders are refused alike, and nothing is offered`, async () => {
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

    it(`${server.name}: the end of the connection, not of another one, ends its run, however often it is reported`, async () => {
      await publish();
      expect(server.isAllowed(await end({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['OFFERED']);
      for (const response of await Promise.all([end(), end(), end()]))
        expect(server.isAllowed(response), response.text).to.equal(true);
      const [run, ...others] = await service.runs(publisher.streamId);
      expect([run?.state, run?.endReason, others]).to.deep.equal(['ENDED', 'ended by the streaming server', []]);
    });

    it(`${server.name}: while media arrives, a second publisher is refused, and the owner sees it`, async () => {
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
      // The first encoder is gone, and nobody has reported it.
      service.ctx.clock.advance(11_000);
      expect(server.isAllowed(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
      expect(await refusedEncoderOf(service.ctx, publisher.streamId)).to.equal(null);
    });

    it(`${server.name}: a second publisher in the first seconds is refused`, async () => {
      await publish();
      expect(server.isRefused(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['OFFERED']);
      // Its media never came.
      service.ctx.clock.advance(21_000);
      expect(server.isAllowed(await publish({ connection: 3 }))).to.equal(true);
      expect((await states()).at(-1)).to.equal('OFFERED');
    });

    it(`${server.name}: an encoder is refused while one publishes to the embedded server, until it has left`, async () => {
      const { streamId, userId: ownerId } = publisher;
      const run = await makeRun(service.ctx, { streamId, ownerId, path: publisher.path });
      await renewRun(service.ctx, { ...run, lastMediaAt: service.ctx.clock.now(), receivedBytes: 1000 });
      expect(server.isRefused(await publish())).to.equal(true);
      expect(await states()).to.deep.equal(['OPEN']);
      await markEncoderLeft(service.ctx, run);
      expect(server.isAllowed(await publish({ connection: 2 }))).to.equal(true);
      expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
    });

    it(`${server.name}: bodies of another form are 400, long ones 413`, async () => {
      const path = `/rest/integration/hooks/${server.name}`;
      const send = async (body: string) =>
        (await service.api.call('POST', path, { headers: integrationHeaders(service.api), body })).status;
      for (const strange of ['', '[1', '{"a":1}'])
        expect(await send(strange), strange).to.equal(server.name === 'ovenmediaengine' ? 401 : 400);
      expect(await send(`{"a":"${'x'.repeat(20_000)}"}`)).to.equal(413);
    });
  }
});
