import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { basic } from '../../../support/api.js';
import { ovenBody, ovenHook } from '../../../support/hooks.js';
import { openHookService } from './hookService.js';
import { guardedCallsPerMinute } from '../../../../shared/platform/throttle/subject.js';
import { useFixture, fixtureEach } from '../../../support/fixtures.js';

const secret = 'a secret of the engine';

describe('Hooks of OvenMediaEngine', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  it('401: another secret, a changed body, no signature, and basic credentials in its place', async () => {
    const { api } = service;
    const body = ovenBody(api, 'opening', publisher);
    expect((await ovenHook(api, body, 'another secret of it')).status).to.equal(401);
    expect((await ovenHook(api, body, '')).status).to.equal(401);
    const { user, password } = api.ctx.config.integration!;
    const post = (headers: Record<string, string>, sent = body) =>
      api.call('POST', '/rest/integration/hooks/ovenmediaengine', { headers, body: sent });
    expect((await post({})).status).to.equal(401);
    expect((await post({ authorization: basic(api, user, password) })).status).to.equal(401);
    const signed = { 'x-ome-signature': signatureOf(body) };
    expect((await post(signed, `${body} `)).status).to.equal(401);
    expect(await service.runs(publisher.streamId)).to.deep.equal([]);
    expect((await post({ 'x-ome-signature': `${signatureOf(body)}=` })).body).to.deep.equal({ allowed: true });
  });

  it('401: a hook that was recorded and is sent again after five minutes, or is dated in the future', async () => {
    const { api, ctx } = service;
    const body = ovenBody(api, 'opening', publisher);
    expect((await ovenHook(api, body, secret)).body).to.deep.equal({ allowed: true });
    ctx.clock.advance(5 * 60_000 + 1);
    expect((await ovenHook(api, body, secret)).status).to.equal(401);
    const time = new Date(ctx.clock.now().getTime() + 10 * 60_000).toISOString();
    expect((await ovenHook(api, ovenBody(api, 'opening', publisher, { time }), secret)).status).to.equal(401);
    expect((await ovenHook(api, ovenBody(api, 'opening', publisher, { time: 'x' }), secret)).status).to.equal(401);
  });

  it('429: wrong signatures have a limit of their own; the right ones are accepted beyond it', async () => {
    const limited = await openHookService({}, { limits: [[guardedCallsPerMinute, 3]] });
    try {
      const { api } = limited;
      const body = ovenBody(api, 'opening', await limited.publisher());
      const statuses: number[] = [];
      for (let guess = 0; guess < 5; guess += 1) statuses.push((await ovenHook(api, body, `guess ${guess}`)).status);
      expect(statuses).to.deep.equal([401, 401, 401, 429, 429]);
      expect((await ovenHook(api, body, secret)).body).to.deep.equal({ allowed: true });
      const asUser = (password: string) =>
        api.call('GET', '/rest/integration/user/nobody.here', {
          headers: { authorization: basic(api, api.ctx.config.integration!.user, password) },
        });
      expect((await asUser('wrong')).status).to.equal(401);
      expect((await asUser(api.ctx.config.integration!.password)).status).to.equal(404);
    } finally {
      await limited.close();
    }
  });

  it('viewers need a token; their end is of no interest', async () => {
    const { api } = service;
    const outgoing = { direction: 'outgoing' };
    expect((await ovenHook(api, ovenBody(api, 'opening', publisher, outgoing), secret)).body).to.deep.equal({
      allowed: false,
      reason: 'not allowed',
    });
    expect((await ovenHook(api, ovenBody(api, 'closing', publisher, outgoing), secret)).body).to.deep.equal({});
  });

  it('an address without stream is refused', async () => {
    const { api } = service;
    for (const url of ['rtmp://host:1935/live', 'x', 'rtmp://host/live/?user=a', 'rtmp://host/live/../x'])
      expect((await ovenHook(api, ovenBody(api, 'opening', publisher, { url }), secret)).body.allowed, url).to.equal(
        false,
      );
  });

  function signatureOf(body: string): string {
    return createHmac('sha1', secret).update(body).digest('base64url');
  }
});

describe('Hooks of OvenMediaEngine without a secret', () => {
  it('401: no signature is valid, not even an empty one', async () => {
    const service = await openHookService({ OVENMEDIAENGINE_SECRET: '' });
    try {
      const body = ovenBody(service.api, 'opening', await service.publisher());
      for (const tried of ['', 'undefined', 'null'])
        expect((await ovenHook(service.api, body, tried)).status).to.equal(401);
    } finally {
      await service.close();
    }
  });
});
