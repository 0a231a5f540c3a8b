import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { expect } from 'chai';
import express from 'express';
import type { Request, Response } from 'express';
import { openHeaders, securityHeaders } from '../../../api/http/headers.js';
import { languageOfRequest } from '../../../api/http/requestLanguage.js';
import { zoneOf } from '../../../api/http/timezone.js';
import type { Config } from '../../../shared/platform/config.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';

describe('The Accept-Language header', () => {
  const cases: readonly (readonly [header: string | undefined, language: string])[] = [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['it', 'it'],
    ['pt-BR', 'pt'],
    ['pt_BR', 'pt'],
    ['de-CH', 'de'],
    ['DE, fr-CH;q=0.8, en;q=0.5', 'de'],
    ['nl, fr-CH;q=0.8, en;q=0.5', 'fr'],
    ['en;q=0.1, es;q=0.9', 'es'],
    ['en; q=0.1, es; q=0.9', 'es'],
    ['en-GB, fr', 'en'],
    ['it;q=0, fr', 'fr'],
    ['xx', 'en'],
    [`${'a,'.repeat(7_000)}it`, 'it'],
  ];
  for (const [header, language] of cases)
    it(`'${String(header).slice(0, 40)}' selects ${language}`, () => {
      const headers = header === undefined ? {} : { 'accept-language': header };
      const request = Object.assign(Object.create(express.request), { headers }) as Request;
      expect(languageOfRequest(request)).to.equal(language);
    });
});

describe('The time zone header', () => {
  const cases: readonly (readonly [string | string[] | undefined, number])[] = [
    ['3600000', 3_600_000],
    ['-12600000', -12_600_000],
    ['+0', 0],
    [' 7200000 ', 7_200_000],
    [['60000', '1'], 60_000],
    [String(18 * 3_600_000), 18 * 3_600_000],
    [String(18 * 3_600_000 + 1), 5],
    ['-64800001', 5],
    [undefined, 5],
    ['', 5],
    ['Europe/Rome', 3_600_000],
    [' europe/rome ', 3_600_000],
    ['America/New_York', -18_000_000],
    ['Europe/Atlantis', 5],
    ['+01:00', 5],
    ['3.6e6', 5],
    ['1.5', 5],
    ['9999999999999', 5],
    ['0x10', 5],
  ];
  for (const [header, expected] of cases)
    it(`${JSON.stringify(header)} selects ${expected === 5 ? 'the default' : expected}`, () =>
      expect(zoneOf(header, fixedZone(5)).offsetAt(new Date('2026-12-01T00:00:00Z'))).to.equal(expected));
});

const configOf = (publicUrl: string) => ({ service: { publicUrl } }) as Config;

/** The response headers of a path. */
function headersOf(publicUrl: string, path: string): Record<string, unknown> {
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  securityHeaders(configOf(publicUrl))({ path } as Request, response as unknown as Response, () => {});
  return { ...response.getHeaders() };
}

describe('security headers', () => {
  for (const path of ['/api/box', '/oauth/token', '/embed/', '/s/grant/content/x'])
    it(`restrict ${path} to HTTPS if PUBLIC_URL is HTTPS`, () => {
      const name = 'strict-transport-security';
      expect(headersOf('https://video.example.org', path)[name]).to.equal('max-age=31536000');
      expect(headersOf('http://127.0.0.1:3000', path)).not.to.have.property(name);
    });

  it('forbid framing and content sniffing in every response', () => {
    for (const path of ['/api/box', '/embed/'])
      expect(headersOf('https://video.example.org', path)).to.include({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
      });
  });

  it('are the same for each request of an open path, and permit nothing to pages', () =>
    expect(Object.fromEntries(openHeaders(configOf('http://127.0.0.1:3000')))).to.deep.equal({
      'content-security-policy': "default-src 'none';frame-ancestors 'none'",
      'cross-origin-resource-policy': 'cross-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    }));
});
