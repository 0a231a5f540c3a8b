import { expect } from 'chai';
import { serviceFixture } from '../support/service.js';

describe('The pages of the API description', () => {
  const { api } = serviceFixture({ BASE_PATH: '/platform' });

  it('are served without a token, with all files that they refer to', async () => {
    expect((await api.call('GET', '/openapi.json')).body.openapi).to.equal('3.1.0');
    const page = await api.call('GET', '/docs');
    expect([page.status, page.headers.get('content-type')]).to.deep.equal([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).to.include("script-src 'self';");
    const { origin } = new URL(api.url);
    const references = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)].map((match) => match[1] ?? '');
    expect(references).to.have.length(5);
    for (const reference of references) {
      const file = await fetch(origin + reference);
      expect(file.status, reference).to.equal(200);
      expect((await file.arrayBuffer()).byteLength, reference).to.be.above(50);
    }
  });

  it('are built once, support 304, and may be compressed by proxies', async () => {
    for (const [path, seconds] of [
      ['/openapi.json', 300],
      ['/docs', 300],
      ['/docs/docs.js', 300],
      ['/docs/swagger-ui-bundle.js', 3600],
      ['/docs/swagger-ui.css', 3600],
    ] as const) {
      const first = await fetch(`${api.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      expect(first.headers.get('content-encoding'), path).to.equal('gzip');
      expect(first.headers.get('vary'), path).to.equal('Accept-Encoding');
      expect(first.headers.get('cache-control'), path).to.equal(`public, max-age=${seconds}`);
      expect(Number(first.headers.get('content-length')), path).to.be.below(600_000);
      const etag = first.headers.get('etag') ?? '';
      await first.text();
      // Without this header, fetch requests a response that bypasses all caches.
      const headers = { 'if-none-match': etag, 'cache-control': 'max-age=0' };
      const again = await fetch(`${api.url}${path}`, { headers });
      expect([again.status, await again.text()], path).to.deep.equal([304, '']);
      const head = await fetch(`${api.url}${path}`, { method: 'HEAD' });
      expect([head.status, head.headers.get('etag')], path).to.deep.equal([200, etag]);
    }
  });

  it('begin with the calls from a token to a playing video, each with a link to its operation', async () => {
    const { paths } = (await api.call('GET', '/openapi.json')).body;
    const [, list = ''] = /<ol>(.*)<\/ol>/s.exec((await api.call('GET', '/docs')).text) ?? [];
    const links = [...list.matchAll(/<a href="#\/(\w+)\/(\w+)"><code>(\w+) ([^<]+)/g)];
    expect(links.map(([, , operationId]) => operationId)).to.deep.equal([
      'createToken',
      'createBoxItem',
      'watchBoxItem',
      'createVodItem',
      'playPublicVodItem',
    ]);
    for (const [, tag, operationId, method = '', path = ''] of links)
      expect(paths[path][method.toLowerCase()]).to.deep.include({ operationId, tags: [tag] });
  });

  it('do not serve other files', async () => {
    for (const file of [
      'package.json',
      '..%2fpackage.json',
      '%2e%2e%2fpackage.json',
      'index.html',
      'swagger-ui.css%00',
    ]) {
      expect((await api.call('GET', `/docs/${file}`)).status, file).to.equal(404);
    }
  });
});
