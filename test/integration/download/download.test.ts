import { expect } from 'chai';
import { usageOf } from '../../../shared/license/usage.service.js';
import { flushBand } from '../../../shared/playback/bandCounter.js';
import { registerUser } from '../../support/api.js';
import { eventually } from '../../support/eventually.js';
import { useFixture, serviceFixture } from '../../support/fixtures.js';
import { storedRows } from '../../support/rows.js';
import { startS3 } from '../../support/s3.js';
import { DownloadToken } from '../../../shared/box/downloadToken.model.js';
import { upload } from '../../support/uploads.js';

const bytes = Uint8Array.from({ length: 300_000 }, (_, index) => index % 251);
const contentOf = async (response: Response): Promise<Uint8Array> => new Uint8Array(await response.arrayBuffer());

describe('the download of a content', () => {
  const { ctx, api } = serviceFixture({});
  const user = useFixture(() => registerUser(api));
  let contentId: string;

  before(async () => {
    ({ contentId } = (await upload(api, user, { file: bytes, fileName: '../Été "2026".mp4' })).body);
  });

  const tokenOf = async (id = contentId, as = user): Promise<string> =>
    (await api.call('GET', `/api/content/${id}/download`, { token: as.token })).body.token;
  const download = (
    token: string,
    headers: Record<string, string> = {},
    method = 'GET',
    id = contentId,
  ): Promise<Response> => fetch(`${api.url}/download/content/${id}?token=${token}`, { method, headers });

  it('200: sends the file with its name, as an attachment', async () => {
    const response = await download(await tokenOf());
    expect(response.status).to.equal(200);
    expect(await contentOf(response)).to.deep.equal(bytes);
    expect(Object.fromEntries(response.headers)).to.include({
      'content-disposition': 'attachment; filename="Ete 2026.mp4"; filename*=UTF-8\'\'%C3%89t%C3%A9%202026.mp4',
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
      'content-length': '300000',
      'accept-ranges': 'bytes',
      'cache-control': 'private, no-store',
    });
  });

  it('returns 304 and 412 for conditional requests, and the complete file if the validator differs', async () => {
    const etag = (await download(await tokenOf())).headers.get('etag') ?? '';
    const unchanged = await download(await tokenOf(), { 'if-none-match': etag, 'cache-control': 'max-age=0' });
    expect(unchanged.status).to.equal(304);
    expect((await download(await tokenOf(), { 'if-match': '"another"' })).status).to.equal(412);
    const response = await download(await tokenOf(), { range: 'bytes=100-200', 'if-range': '"another"' });
    expect([response.status, (await contentOf(response)).length]).to.deep.equal([200, 300_000]);
  });

  it('returns 404 for a used token, after one of ten concurrent requests, and HEAD does not use the token', async () => {
    const token = await tokenOf();
    const head = await download(token, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, '300000']);
    const responses = await Promise.all(Array.from({ length: 10 }, () => download(token)));
    expect(responses.filter(({ status }) => status === 200)).to.have.length(1);
    expect((await download(token)).status).to.equal(404);
    expect((await download(token, { range: 'bytes=0-' })).status).to.equal(404);
  });

  it('206: resumes once, with one open-ended range', async () => {
    const token = await tokenOf();
    await expectResumed(api.url, contentId, token);
    expect((await download(token, { range: 'bytes=100-' })).status, 'a second time').to.equal(404);
    expect((await download(token, { range: 'bytes=200-' })).status, 'a second time').to.equal(404);
  });

  it('returns 404 for any other range of a used token', async () => {
    const token = await tokenOf();
    await contentOf(await download(token));
    const others = ['bytes=-5', 'bytes=0-', 'bytes=00-', 'bytes=5-10', 'bytes=100-,200-', 'bytes=0-0,100-'];
    for (const range of [...others, 'bytes=1-2,-1', 'BYTES=100-', 'bytes = 100-', 'lines=100-'])
      expect((await download(token, { range })).status, range).to.equal(404);
    const rest = await download(token, { range: 'bytes=100-', 'if-range': '"another"' });
    expect([rest.status, (await contentOf(rest)).length], 'not the complete file').to.deep.equal([206, 299_900]);
  });

  it('206: resumes once, also with ten concurrent requests', async () => {
    const token = await tokenOf();
    await contentOf(await download(token));
    const resumed = await Promise.all(Array.from({ length: 10 }, () => download(token, { range: 'bytes=100-' })));
    expect(resumed.filter(({ status }) => status === 206)).to.have.length(1);
  });

  it('returns 416 for a range after the end, and 404 for a token or a resumption after five minutes', async () => {
    const token = await tokenOf();
    await contentOf(await download(token));
    expect((await download(token, { range: 'bytes=300000-' })).status).to.equal(416);
    const [late, unused] = [await tokenOf(), await tokenOf()];
    await contentOf(await download(late));
    ctx.clock.advance(5 * 60_000 + 1);
    expect((await download(late, { range: 'bytes=100-' })).status).to.equal(404);
    expect((await download(unused)).status).to.equal(404);
  });

  it('counts every byte for the downloading user’s license, and none for HEAD', async () => {
    const counted = async (): Promise<number> => {
      await flushBand(ctx);
      return (await usageOf(ctx, user.userId)).bandBytes;
    };
    const before = await counted();
    const token = await tokenOf();
    await download(token, {}, 'HEAD');
    expect(await counted()).to.equal(before);
    await contentOf(await download(token));
    await contentOf(await download(token, { range: 'bytes=299000-' }));
    await download(token, {}, 'HEAD');
    await eventually(async () => expect(await counted()).to.equal(before + 301_000));
  });

  it('keeps at most 50 tokens per user, and expires the oldest', async () => {
    const oldest = await tokenOf();
    ctx.clock.advance(1);
    const tokens: string[] = [];
    for (let count = 0; count < 50; count += 1) tokens.push(await tokenOf());
    expect((await download(oldest)).status).to.equal(404);
    expect((await download(tokens[0] ?? '', {}, 'HEAD')).status).to.equal(200);
    const rows = await storedRows(ctx, DownloadToken, { userId: user.userId });
    expect(rows).to.have.length(50);
    expect(JSON.stringify(rows)).to.not.contain(tokens[0]);
  });

  it('returns 404 for a resumption from another address than the first request', async () => {
    const token = await tokenOf();
    await download(token);
    await ctx.db.change(`UPDATE download_tokens SET used_from = '192.0.2.1' WHERE used_at IS NOT NULL`);
    expect((await download(token, { range: 'bytes=100-' })).status).to.equal(404);
  });

  it('returns 404 for another content, and without a token', async () => {
    const another = (await upload(api, user)).body.contentId;
    expect((await download(await tokenOf(), {}, 'GET', another)).status).to.equal(404);
    expect((await download('')).status).to.equal(404);
    expect((await download('x'.repeat(43))).status).to.equal(404);
    expect((await fetch(`${api.url}/download/content/${contentId}`)).status).to.equal(404);
  });

  it('returns 404 after the item’s deletion', async () => {
    const { body } = await upload(api, user);
    const token = await tokenOf(body.contentId);
    await api.call('DELETE', `/api/box/${body.boxId}`, { token: user.token });
    expect((await download(token, {}, 'GET', body.contentId)).status).to.equal(404);
    expect((await api.call('GET', `/api/content/${body.contentId}/download`, { token: user.token })).status).to.equal(
      404,
    );
  });
});

describe('the download of a content stored in S3', () => {
  const s3 = useFixture(startS3);
  const { api } = serviceFixture(() => s3.env);

  it('206: sends the file, and resumes', async () => {
    const user = await registerUser(api);
    const { contentId } = (await upload(api, user, { file: bytes })).body;
    const { body } = await api.call('GET', `/api/content/${contentId}/download`, { token: user.token });
    await expectResumed(api.url, contentId, body.token);
  });
});

/** Downloads the first bytes, then the remaining bytes. */
async function expectResumed(url: string, contentId: string, token: string): Promise<void> {
  const read = (headers: Record<string, string>) =>
    fetch(`${url}/download/content/${contentId}?token=${token}`, { headers });
  const first = await read({ range: 'bytes=0-99' });
  expect([first.status, first.headers.get('content-range')]).to.deep.equal([206, 'bytes 0-99/300000']);
  expect(await contentOf(first)).to.deep.equal(bytes.subarray(0, 100));
  const rest = await read({ range: 'bytes=100-', 'if-range': first.headers.get('etag') ?? '' });
  expect(rest.status).to.equal(206);
  expect(await contentOf(rest)).to.deep.equal(bytes.subarray(100));
}
