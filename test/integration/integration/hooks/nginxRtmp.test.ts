import { expect } from 'chai';
import { publishSeconds } from '../../../support/licenses.js';
import { nginxHook, nginxForm, recordedServers } from '../../../support/hooks.js';
import { openHookService, type Publisher, pullUrl } from './hookService.js';
import { setLivePassword } from '../../../support/users.js';
import { integrationHeaders } from '../../../support/api.js';
import { useFixture, fixtureEach } from '../../../support/fixtures.js';
import { LiveStream } from '../../../../shared/streaming/streaming.model.js';
import { changeRow } from '../../../support/rows.js';
import { basic } from '../../../support/api.js';
import { refusedPublicationsPerAddress } from '../../../../shared/streaming/publishAttempts.js';

describe('hooks of nginx-rtmp', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  const send = async (call: string, more: Partial<Publisher> = {}) =>
    (await nginxHook(service.api, call, { ...publisher, ...more })).status;
  const states = async () => (await service.runs(publisher.streamId)).map(({ state }) => state);
  const endRun = (reason: string) =>
    service.ctx.db.change(
      "UPDATE live_runs SET state = 'ENDED', end_reason = $reason, ended_at = now() WHERE stream_id = $id",
      { id: publisher.streamId, reason },
    );

  it('return 403 if the client’s query repeats a server field or one of its own fields', async () => {
    const other = await service.publisher();
    const own = `user=${publisher.user}&pass=${encodeURIComponent(publisher.pass)}`;
    for (const added of [
      `name=${other.path}`,
      'n%61me=x',
      'call=publish_done',
      'clientid=7',
      'addr=127.0.0.1',
      'app=x',
      `user=${other.user}`,
      Array.from({ length: 60 }, (_, index) => `a${index}=1`).join('&'),
    ])
      expect((await nginxHook(service.api, 'publish', publisher, `${own}&${added}`)).status, added).to.equal(403);
    expect(await states()).to.deep.equal([]);
    expect((await nginxHook(service.api, 'publish', publisher, `${own}&other=1`)).status).to.equal(200);
  });

  it('compare the password as typed, with plus and percent signs', async () => {
    for (const [password, typed, status] of [
      ['a+b 50%', 'a+b%2050%', 403],
      ['a+b 50%', 'a+b%2050%25', 200],
      ['50%off', '50%off', 200],
    ] as const) {
      await setLivePassword(service.ctx, publisher.userId, password);
      const raw = `user=${publisher.user}&pass=${typed}`;
      expect((await nginxHook(service.api, 'publish', publisher, raw)).status, typed).to.equal(status);
    }
  });

  it('treat an id that is used again after its end as a new connection, as after a server restart', async () => {
    await send('publish');
    await send('publish_done');
    expect(await send('update_publish'), 'after the end').to.equal(403);
    expect(await send('publish')).to.equal(200);
    expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
    await send('publish_done');
    expect(await states()).to.deep.equal(['ENDED', 'ENDED']);
  });

  it('distinguish the connections of several servers', async () => {
    await send('publish');
    const path = '/rest/integration/hooks/nginx-rtmp?server=edge-2';
    const body = `app=live&clientid=1&call=publish_done&name=${publisher.path}`;
    const options = { headers: integrationHeaders(service.api), body };
    expect((await service.api.call('POST', path, options)).status).to.equal(200);
    expect(await states()).to.deep.equal(['OFFERED']);
    await send('publish_done');
    expect(await states()).to.deep.equal(['ENDED']);
  });

  it('return 200 for updates while the encoder may publish, and offer a run again that has ended here', async () => {
    await send('publish');
    expect(await send('update_publish')).to.equal(200);
    expect(await states()).to.deep.equal(['OFFERED']);
    await endRun('source ended');
    expect(await send('update_publish')).to.equal(200);
    expect(await states()).to.deep.equal(['ENDED', 'OFFERED']);
  });

  it('return 403 for updates without hours, with another password, of a deleted stream or after a takeover', async () => {
    await send('publish');
    expect(await send('update_publish', { pass: 'wrong' })).to.equal(403);
    await endRun('taken over');
    expect(await send('publish', { connection: 2 })).to.equal(200);
    expect(await send('update_publish')).to.equal(403);
    await publishSeconds(service.ctx, publisher.userId, 36_000);
    expect(await send('update_publish', { connection: 2 })).to.equal(403);
    const deleted = await service.publisher();
    await send('publish', deleted);
    await changeRow(service.ctx, LiveStream, deleted.streamId, { path: null });
    expect(await send('update_publish', deleted)).to.equal(403);
  });

  it('return 200 for calls that need no decision, and 400 for unknown calls', async () => {
    for (const call of ['connect', 'play_done', 'done', 'record_done', 'update_play'])
      expect(await send(call), call).to.equal(200);
    expect(await send('format')).to.equal(400);
    expect(await states()).to.deep.equal([]);
  });

  it('return 403 for play without a token, and 200 with the integration’s credentials, as live processes send', async () => {
    expect(await send('play')).to.equal(403);
    const { user, password } = service.ctx.config.integration!;
    expect(await send('play', { user, pass: password })).to.equal(200);
    expect(await send('play', { user, pass: 'wrong' })).to.equal(403);
  });
});

describe('hooks of streaming servers', () => {
  it('return 404 under another name, 405 for GET, and 401 without the integration’s credentials', async () => {
    const service = await openHookService();
    try {
      const { api } = service;
      const publisher = await service.publisher();
      const body = nginxForm('publish', publisher, `user=${publisher.user}`);
      const headers = integrationHeaders(api);
      for (const { name } of recordedServers) {
        const path = `/rest/integration/hooks/${name}`;
        const wrong = { authorization: basic(api, api.ctx.config.integration!.user, 'wrong') };
        expect((await api.call('POST', path, { headers: wrong, body })).status, name).to.equal(401);
        expect((await api.call('POST', `/rest/other/hooks/${name}`, { headers, body })).status).to.equal(404);
        expect((await api.call('GET', path, { headers })).status).to.equal(405);
      }
      expect((await api.call('POST', '/rest/integration/hooks/other', { headers, body })).status).to.equal(404);
      expect(await service.runs(publisher.streamId)).to.deep.equal([]);
    } finally {
      await service.close();
    }
  });

  it('return 401 for any credentials without INTEGRATION_USER and INTEGRATION_PASSWORD', async () => {
    const service = await openHookService({ INTEGRATION_USER: '', INTEGRATION_PASSWORD: '' });
    try {
      const { api } = service;
      for (const [user, password] of [
        ['', ''],
        ['streamer', 'streamer-password'],
        ['null', 'null'],
        ['undefined', 'undefined'],
      ] as const) {
        const headers = { authorization: basic(api, user, password) };
        for (const path of ['/rest/integration/hooks/nginx-rtmp', '/rest/integration/edge/usage'])
          expect((await api.call('POST', path, { headers, body: '' })).status, path).to.equal(401);
        expect((await api.call('GET', '/rest/integration/vod?streamName=a', { headers })).status).to.equal(401);
      }
    } finally {
      await service.close();
    }
  });

  it('limit rejected encoders by their address, and no others', async () => {
    const service = await openHookService({}, { limits: [[refusedPublicationsPerAddress, 5]] });
    try {
      const publisher = await service.publisher();
      const wrong = { ...publisher, pass: 'wrong' };
      for (let attempt = 0; attempt < 5; attempt += 1)
        expect((await nginxHook(service.api, 'publish', wrong)).status).to.equal(403);
      expect((await nginxHook(service.api, 'publish', publisher)).status, 'the right password').to.equal(403);
      const body = nginxForm('publish', publisher, '').replace('203.0.113.7', '203.0.113.8');
      const elsewhere = await service.api.call('POST', '/rest/integration/hooks/nginx-rtmp', {
        headers: integrationHeaders(service.api),
        body: `${body}&user=${publisher.user}&pass=${encodeURIComponent(publisher.pass)}`,
      });
      expect(elsewhere.status).to.equal(200);
      service.ctx.clock.advance(5 * 60_000 + 1);
      expect((await nginxHook(service.api, 'publish', publisher)).status, 'five minutes later').to.equal(200);
    } finally {
      await service.close();
    }
  });

  it('reject every publication without LIVE_PULL_URL, and any application that could alter the pull URL', async () => {
    const service = await openHookService({ LIVE_PULL_URL: '' });
    const pulling = await openHookService({ LIVE_PULL_URL: pullUrl });
    try {
      expect((await nginxHook(service.api, 'publish', await service.publisher())).status).to.equal(403);
      const publisher = await pulling.publisher();
      const own = `user=${publisher.user}&pass=${encodeURIComponent(publisher.pass)}`;
      for (const app of ['..', '%2E%2E%2Fx', '@evil.example.org', 'a%2F%2Fb', 'live']) {
        const body = nginxForm('publish', publisher, own).replace('app=live', `app=${app}`);
        const options = { headers: integrationHeaders(pulling.api), body };
        const { status } = await pulling.api.call('POST', '/rest/integration/hooks/nginx-rtmp', options);
        expect(status, app).to.equal(app === 'live' ? 200 : 403);
      }
    } finally {
      await service.close();
      await pulling.close();
    }
  });
});
