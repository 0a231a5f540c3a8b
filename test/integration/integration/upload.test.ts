import { once } from 'node:events';
import { request } from 'node:http';
import { expect } from 'chai';
import { recordStoredBytes } from '../../../shared/license/usage.service.js';
import { registerUser, type TestUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { serviceFixture } from '../../support/service.js';
import { integrationHeaders } from '../../support/streams.js';
import { tracesOf, uploadForm, type UploadParts } from '../../support/uploads.js';
import { BoxItem } from '../../../shared/box/box.model.js';
import { storedRows } from '../../support/rows.js';
import { disableUser } from '../../support/users.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('POST /rest/<integration>/user/{userCode}/box', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));

  const upload = (userCode: string, parts: UploadParts = {}, headers: object = {}) =>
    api.call('POST', `/rest/integration/user/${userCode}/box`, {
      headers: { ...integrationHeaders(api), ...headers },
      body: uploadForm(parts),
    });
  const itemsOf = ({ userId }: TestUser) => storedRows(api.ctx, BoxItem, { ownerId: userId });

  it('201: creates an item in the named user’s box and uses that user’s quota', async () => {
    const { status, body } = await upload(user.userCode.toUpperCase(), { title: ' Recorded ' });
    expect(status).to.equal(201);
    const [item] = await itemsOf(user);
    expect(item?.source).to.equal('UPLOAD');
    expect(body).to.deep.equal({
      boxId: item?.id,
      title: 'Recorded',
      contentId: `urn:video:content:${body.resourceId}`,
      resourceId: body.resourceId,
      creatorCode: user.userCode,
    });
    const { files: _files, ...traces } = (await tracesOf(api.ctx, user)) as Record<string, number>;
    expect(traces).to.include({ contents: 1, items: 1, originalBytes: 50_000, reservations: 0, reservedBytes: 0 });
    const own = await api.call('GET', `/api/box/${body.boxId}`, { token: user.token });
    expect([own.status, own.body.status]).to.deep.equal([200, 'PENDING']);
  });

  it('201: accepts the same form fields as an upload to one’s own box', async () => {
    const { status, body } = await upload(user.userCode, {
      fields: [
        ['description', 'Long'],
        ['tag', 'a'],
        ['contentIdentifier', 'show-1'],
      ],
    });
    expect(status).to.equal(201);
    const own = await api.call('GET', `/api/box/${body.boxId}`, { token: user.token });
    expect(own.body).to.include({ description: 'Long' });
    expect((await upload(user.userCode, { fields: [['contentIdentifier', 'show-1']] })).status).to.equal(409);
  });

  it('returns 413 above the named user’s storage, before the body is read', async () => {
    await api.ctx.db.transaction((tx) => recordStoredBytes(api.ctx, tx, user.userId, 'renditions', 1024 ** 3));
    const { status, body } = await upload(user.userCode, {}, { 'accept-language': 'fr' });
    expect([status, body.exception]).to.deep.equal([413, 'StorageQuotaExceededException']);
    expect(body.message).to.include('L’espace ne suffit pas');
    expect(await itemsOf(user)).to.deep.equal([]);
  });

  it('returns 404 for unknown and disabled users, before the body is read', async () => {
    await disableUser(api.ctx, user.userId);
    for (const userCode of ['nobody', user.userCode]) {
      const sent = request(`${api.url}/rest/integration/user/${userCode}/box`, {
        method: 'POST',
        headers: {
          ...integrationHeaders(api),
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 1_000_000,
        },
      });
      sent.on('error', () => {});
      sent.flushHeaders();
      const [response] = await once(sent, 'response');
      expect(response.statusCode).to.equal(404);
      sent.destroy();
    }
  });

  it('returns 400 without file or title, and stores nothing', async () => {
    for (const parts of [{ title: ' ' }, { file: new Uint8Array(0) }])
      expect((await upload(user.userCode, parts)).status).to.equal(400);
    await eventually(async () =>
      expect(await tracesOf(api.ctx, user)).to.include({
        items: 0,
        reservations: 0,
        reservedBytes: 0,
        originalBytes: 0,
      }),
    );
  });
});
