import { expect } from 'chai';
import { basic } from '../../../support/api.js';
import { nginxForm, nginxHook, recordedServers } from '../../../support/hooks.js';
import { integrationHeaders } from '../../../support/streams.js';
import { openHookService, pullUrl } from './hookService.js';
import { refusedPublicationsPerAddress } from '../../../../shared/streaming/publishAttempts.js';

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
