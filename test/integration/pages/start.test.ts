import { expect } from 'chai';
import { sharedService } from '../../support/service.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /', () => {
  const service = useFixture(sharedService);

  const open = (accept: string, language = 'en') =>
    service.api.call('GET', '/', { headers: { accept, 'accept-language': language } });

  it('returns 200 with a page in the request’s language, whose links all point to this service', async () => {
    for (const accept of ['text/html,application/xhtml+xml,*/*;q=0.8', '*/*']) {
      const page = await open(accept, 'fr');
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
      expect(page.headers.get('vary')).to.include('Accept,').and.include('Accept-Language');
      expect(page.text).to.include('<html lang="fr">').and.include('Service de plateforme vidéo');
      const addresses = [...page.text.matchAll(/<(?:a|link|img|script)[^>]* (?:href|src)="([^"]*)"/g)];
      const own =
        /^(\/(docs|openapi\.json|readyz|admin\/queues|api\/public\/cast\/channels\.m3u|embed\/\?cast=[\w-]+)$|data:image\/svg)/;
      expect(addresses.flatMap(([, address = '']) => (own.test(address) ? [] : [address]))).to.deep.equal([]);
      expect(page.text).to.not.include('<script');
      expect(page.headers.get('content-security-policy')).to.include("default-src 'none'").and.not.include('unsafe');
    }
  });

  it('returns 404 with JSON for clients that prefer it', async () => {
    for (const accept of ['application/json', 'application/json, text/plain, */*']) {
      const response = await open(accept);
      expect(response.status).to.equal(404);
      expect(response.body.exception).to.equal('NotFoundException');
    }
  });
});
