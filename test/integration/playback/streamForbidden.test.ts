import { expect } from 'chai';
import { seedBoxItem, seedStream, type SeededItem } from '../../support/contents.js';
import { openStreamFixture } from '../../support/streamFixture.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /s/{grant}/{path}, 403', () => {
  const fixture = useFixture(openStreamFixture);
  let full: string;
  let preview: string;
  let other: SeededItem;

  before(async () => {
    full = await fixture.pathOf(fixture.item);
    preview = await fixture.pathOf(fixture.item, 'preview');
    other = await seedBoxItem(fixture.ctx, fixture.owner.userId);
    await seedStream(fixture.ctx, other.folder);
  });

  const refused = async (path: string, allowed: readonly number[] = [403]) => {
    const response = await fixture.get(path);
    expect(allowed, `${path} responded ${response.status}`).to.include(response.status);
    const body = JSON.parse(response.text);
    expect(body).to.include({ status: response.status });
    expect(response.headers['cache-control']).to.equal('no-store');
    return body;
  };
  const swap = (path: string, change: (parts: string[]) => void): string => {
    const [, s, grant = '', ...rest] = path.split('/');
    const parts = grant.split('.');
    change(parts);
    return ['', s, parts.join('.'), ...rest].join('/');
  };

  it('for a forged grant', async () => {
    const file = 'master.m3u8';
    const forgeries = [
      swap(full, (parts) => (parts[6] = 'A'.repeat(22))),
      swap(full, (parts) => (parts[6] = '')),
      swap(full, (parts) => parts.pop()),
      swap(full, (parts) => (parts[5] = String(Number(parts[5]) + 86_400))),
      swap(full, (parts) => (parts[4] = 'somebodyElse')),
      swap(full, (parts) => (parts[0] = 'k9')),
      swap(preview, (parts) => (parts[1] = 'full')),
      swap(full, (parts) => (parts[1] = 'preview')),
      full.replace('/s/', '/s/x'),
    ];
    for (const forgery of forgeries) await refused(forgery + file);
  });

  it('for the grant of another content', async () => {
    const foreign = full.replace(fixture.item.contentId, other.contentId);
    for (const file of ['master.m3u8', '240p/s0.m4s', 'preview/master.m3u8']) await refused(foreign + file);
    await refused(full.replace('/g1/', '/g2/') + 'master.m3u8');
  });

  it('for paths with `..`, empty segments or escapes', async () => {
    const target = `${other.contentId}/g1/master.m3u8`;
    const climbs = [
      `../../${target}`,
      `..%2f..%2f${target}`,
      `%2e%2e/%2e%2e/${target}`,
      `%2e%2e%2f%2e%2e%2f${target}`,
      `..%252f..%252f${target}`,
      `..%5c..%5c${target}`,
      `..\\..\\${target}`,
      `./master.m3u8`,
      `240p//s0.m4s`,
      `/etc/passwd`,
      `%2fetc%2fpasswd`,
      `%00master.m3u8`,
      `master.m3u8%00`,
      `master%2em3u8`,
      `master.m3u8/`,
      `.unfinished`,
    ];
    for (const climb of climbs) await refused(full + climb, [400, 403, 404]);
    const segment = full.split('/')[2];
    for (const path of ['', '/', '/sources/x/original', `/../${target}`])
      await refused(`/s/${segment}${path}`, [403, 404]);
  });

  it('for a preview grant and a file outside the preview', async () => {
    expect((await fixture.get(`${preview}preview/master.m3u8`)).status).to.equal(200);
    expect((await fixture.get(`${preview}preview/240p/s0.m4s`)).status).to.equal(200);
    const beyond = [
      'master.m3u8',
      '240p/index.m3u8',
      '240p/s0.m4s',
      '240p/init.mp4',
      'preview/../240p/s0.m4s',
      'preview/..%2f240p/s0.m4s',
      'preview/%2e%2e/240p/s0.m4s',
    ];
    for (const file of beyond) await refused(preview + file, [400, 403, 404]);
  });

  it('for an expired grant, in the language of the request', async () => {
    const path = await fixture.pathOf(fixture.item);
    fixture.ctx.clock.advance(60_000 * 1.5 + 600_000 - 1000);
    expect((await fixture.get(`${path}240p/s0.m4s`)).status).to.equal(200);
    fixture.ctx.clock.advance(2000);
    const response = await fixture.get(`${path}240p/s0.m4s`, { 'accept-language': 'es' });
    expect(response.status).to.equal(403);
    expect(JSON.parse(response.text).message).to.match(/caducado/);
  });
});
