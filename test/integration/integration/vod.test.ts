import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { registerUser } from '../../support/api.js';
import { seedBoxItem } from '../../support/contents.js';
import { serviceFixture } from '../../support/service.js';
import { integrationHeaders } from '../../support/streams.js';
import { changeRow } from '../../support/rows.js';
import { Content } from '../../../shared/content/content.model.js';
import { disableUser } from '../../support/users.js';
import { fixtureEach } from '../../support/fixtures.js';

describe('GET /rest/<integration>/vod', () => {
  const { api } = serviceFixture();
  const user = fixtureEach(() => registerUser(api));
  let contentId: string;
  let boxId: string;
  beforeEach(async () => {
    ({ contentId, boxId } = await seedBoxItem(api.ctx, user.userId));
  });

  const ask = (streamName: string) =>
    api.call('GET', `/rest/integration/vod?streamName=${encodeURIComponent(streamName)}`, {
      headers: integrationHeaders(api),
    });

  it('200: returns the owner by the file of a play, the folder, the UUID and the content id', async () => {
    const play = await api.call('POST', `/api/box/${boxId}/play`, { token: user.token, body: {} });
    expect(play.body.file).to.match(/^content\//);
    for (const name of [
      play.body.file,
      `content/${contentId}/g1/480p/index.m3u8`,
      `content/${contentId}`,
      contentId,
      contentId.toUpperCase(),
      `urn:video:content:${contentId}`,
    ]) {
      const { status, body } = await ask(name);
      expect([status, body], name).to.deep.equal([200, { creatorCode: user.userCode }]);
    }
  });

  it('returns 404 for unknown and deleted contents, malformed names, and contents of a disabled user', async () => {
    const folder = `${contentId}-${'0a'.repeat(16)}`;
    await changeRow(api.ctx, Content, contentId, { folder });
    expect((await ask(`content/${folder}/g1/master.m3u8`)).status, 'the random part of its folder').to.equal(200);
    for (const name of [
      ...[
        randomUUID(),
        `content/${randomUUID()}/g1/master.m3u8`,
        `content/${contentId}-${'0b'.repeat(16)}/g1/master.m3u8`,
      ],
      ...[`urn:other:content:${contentId}`, `live/${contentId}/master.m3u8`, `../content/${contentId}`],
      ...[`${contentId}x`, 'master.m3u8', '%', 'é'],
    ])
      expect((await ask(name)).status, name).to.equal(404);
    await disableUser(api.ctx, user.userId);
    expect((await ask(contentId)).status).to.equal(404);
    const other = await registerUser(api);
    const deleted = await seedBoxItem(api.ctx, other.userId);
    await changeRow(api.ctx, Content, deleted.contentId, { state: 'DELETED' });
    expect((await ask(deleted.contentId)).status).to.equal(404);
  });

  it('returns 400 for a missing or too long streamName', async () => {
    for (const query of ['', '?streamName=', `?streamName=${'x'.repeat(2000)}`]) {
      const path = `/rest/integration/vod${query}`;
      const { status, body } = await api.call('GET', path, { headers: integrationHeaders(api) });
      expect([status, body.errors?.[0]?.field], query.slice(0, 20)).to.deep.equal([400, 'streamName']);
    }
  });
});
