import { expect } from 'chai';
import { nodeMediaServerHook, srsHook } from '../../../support/hooks.js';
import { openHookService } from './hookService.js';
import { useFixture, fixtureEach } from '../../../support/fixtures.js';

describe('Hooks of SRS and Node-Media-Server', () => {
  const service = useFixture(openHookService);
  const publisher = fixtureEach(() => service.publisher());

  const states = async () => (await service.runs(publisher.streamId)).map(({ state }) => state);

  it('SRS: actions without a decision are answered with 0, plays need a token', async () => {
    for (const action of ['on_connect', 'on_close', 'on_stop', 'on_dvr', 'on_hls'])
      expect((await srsHook(service.api, action, publisher)).body, action).to.deep.equal({ code: 0 });
    expect((await srsHook(service.api, 'on_play', publisher)).body).to.deep.equal({ code: 403 });
    const { user, password } = service.ctx.config.integration!;
    const own = { ...publisher, user, pass: password };
    expect((await srsHook(service.api, 'on_play', own)).body).to.deep.equal({ code: 0 });
  });

  it('SRS: a connection that has ended stays ended', async () => {
    await srsHook(service.api, 'on_publish', publisher);
    await srsHook(service.api, 'on_unpublish', publisher);
    expect((await srsHook(service.api, 'on_publish', publisher)).body).to.deep.equal({ code: 403 });
    expect(await states()).to.deep.equal(['ENDED']);
  });

  it('Node-Media-Server: both actions before a publication offer one run, and other actions none', async () => {
    for (const action of ['prePublish', 'postPublish', 'doneRecord', 'donePlay'])
      expect((await nodeMediaServerHook(service.api, action, publisher)).status, action).to.equal(200);
    expect(await states()).to.deep.equal(['OFFERED']);
    expect((await nodeMediaServerHook(service.api, 'prePlay', publisher)).status).to.equal(403);
  });
});
