import { expect } from 'chai';
import { upload } from '../../support/uploads.js';
import { boxFixture } from './openBox.js';

describe('GET /api/progressbar/:progressId', () => {
  const { api, user, other, call } = boxFixture();

  it('returns 200 for the uploader and 404 for other users', async () => {
    await upload(api, user, {}, { 'x-service-PROGRESSBARID': 'bar 1' });
    expect((await call('GET', '/api/progressbar/bar%201')).body).to.deep.equal({ value: 100 });
    expect((await call('GET', '/api/progressbar/bar%201', undefined, other)).status).to.equal(404);
    expect((await call('GET', '/api/progressbar/never')).status).to.equal(404);
  });

  it('returns 404 after a rejected upload', async () => {
    expect((await upload(api, user, { title: '' }, { 'X-Service-progressbarId': 'bar2' })).status).to.equal(400);
    expect((await call('GET', '/api/progressbar/bar2')).status).to.equal(404);
  });
});
