import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { seedBoxItem, seedStream } from '../../support/contents.js';
import { useFixture } from '../../support/fixtures.js';
import { rawRequest } from '../../support/rawRequest.js';
import { serviceFixture } from '../../support/service.js';

/** The transferred bytes of page, scripts and styles together. */
const maxBytes = 256_000;

describe('the size of the player page', () => {
  const { ctx, api } = serviceFixture();
  const owner = useFixture(() => registerUser(api));

  it('is at most 256 kB with gzip', async () => {
    const item = await seedBoxItem(ctx, owner.userId);
    await seedStream(ctx, item.folder);
    const { body } = await api.call('POST', `/api/box/${item.boxId}/vod`, {
      token: owner.token,
      body: { licenseType: 'FREE' },
    });
    const page = await api.call('GET', `/embed/?vod=${body.vodId as string}`);
    const assets = [...page.text.matchAll(/(?:src|href)="([^"]*\/assets\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(assets).to.have.lengthOf(2);
    let bytes = 0;
    for (const path of [`/embed/?vod=${body.vodId as string}`, ...assets]) {
      const { headers } = await rawRequest(api, { method: 'HEAD', path, headers: ['accept-encoding', 'gzip'] });
      expect(headers['content-encoding'], path).to.equal('gzip');
      bytes += Number(headers['content-length']);
    }
    expect(bytes).to.be.within(100_000, maxBytes);
  });
});
