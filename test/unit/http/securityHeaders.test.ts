import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { expect } from 'chai';
import { openHeaders, securityHeaders } from '../../../api/http/headers.js';
import type { Config } from '../../../shared/platform/config.js';

const configOf = (publicUrl: string) => ({ service: { publicUrl } }) as Config;

/** The headers of a response to a request of a path. */
function headersOf(publicUrl: string, path: string): Record<string, unknown> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  securityHeaders(configOf(publicUrl))({ path } as Request, response as unknown as Response, () => {});
  return { ...response.getHeaders() };
}

describe('security headers', () => {
  for (const path of ['/api/box', '/oauth/token', '/embed/', '/s/grant/content/x'])
    it(`${path} is to be opened by https alone where the service is`, () => {
      const name = 'strict-transport-security';
      expect(headersOf('https://video.example.org', path)[name]).to.equal('max-age=31536000');
      expect(headersOf('http://127.0.0.1:3000', path)).not.to.have.property(name);
    });

  it('no response is framed, and its type is not guessed', () => {
    for (const path of ['/api/box', '/embed/'])
      expect(headersOf('https://video.example.org', path)).to.include({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      });
  });

  it('those of open paths are the same for each request, and permit nothing to pages', () => {
    expect(Object.fromEntries(openHeaders(configOf('http://127.0.0.1:3000')))).to.deep.equal({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
  });
});
