import { EventEmitter } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { expect } from 'chai';
import express, { type Request, type Response, Router, type RequestHandler } from 'express';
import { pino } from 'pino';
import { openHeaders, securityHeaders } from '../../../api/http/headers.js';
import { languageOfRequest } from '../../../api/http/requestLanguage.js';
import { requestLog } from '../../../api/http/requestLog.js';
import { routeTable, type TableEntry } from '../../../api/http/routeTable.js';
import { zoneOf } from '../../../api/http/timezone.js';
import { routes } from '../../../api/routes.js';
import type { Config } from '../../../shared/platform/config.js';
import { fixedZone } from '../../../shared/platform/formats/timeZone.js';

describe('The Accept-Language header', () => {
  const cases: readonly (readonly [language: string, ...headers: (string | undefined)[]])[] = [
    ['en', undefined, '', '*', 'xx', 'en-GB, fr'],
    ['it', 'it', `${'a,'.repeat(7_000)}it`],
    ['pt', 'pt-BR', 'pt_BR'],
    ['de', 'de-CH', 'DE, fr-CH;q=0.8, en;q=0.5'],
    ['fr', 'nl, fr-CH;q=0.8, en;q=0.5', 'it;q=0, fr'],
    ['es', 'en;q=0.1, es;q=0.9', 'en; q=0.1, es; q=0.9'],
  ];
  for (const [language, ...headers] of cases)
    it(`selects ${language}`, () => {
      for (const header of headers) {
        const sent = header === undefined ? {} : { 'accept-language': header };
        const request = Object.assign(Object.create(express.request), { headers: sent }) as Request;
        expect(languageOfRequest(request), String(header).slice(0, 40)).to.equal(language);
      }
    });
});

describe('The time zone header', () => {
  const defaultMs = 5;
  const cases: readonly (readonly [offsetMs: number, ...headers: (string | string[] | undefined)[]])[] = [
    [3_600_000, '3600000', 'Europe/Rome', ' europe/rome '],
    [-12_600_000, '-12600000'],
    [0, '+0'],
    [7_200_000, ' 7200000 '],
    [60_000, ['60000', '1']],
    [18 * 3_600_000, String(18 * 3_600_000)],
    [-18_000_000, 'America/New_York'],
    [defaultMs, undefined, '', String(18 * 3_600_000 + 1), '-64800001', 'Europe/Atlantis', '+01:00', '3.6e6', '1.5'],
    [defaultMs, '9999999999999', '0x10'],
  ];
  for (const [offsetMs, ...headers] of cases)
    it(`selects ${offsetMs === defaultMs ? 'the default' : offsetMs} for ${JSON.stringify(headers)}`, () => {
      for (const header of headers)
        expect(zoneOf(header, fixedZone(defaultMs)).offsetAt(new Date('2026-12-01T00:00:00Z'))).to.equal(offsetMs);
    });
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

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly requestId: string;
  readonly req: { readonly method: string; readonly path: string };
  readonly res: { readonly status: number };
  readonly responseTime: number;
}

interface Handled {
  readonly status?: number;
  readonly isAborted?: boolean;
  readonly requestId?: string;
}

/** The line of one request and its `X-Request-Id`. */
function logged(url: string, { status = 200, isAborted = false, requestId }: Handled = {}) {
  let written = '';
  let id = '';
  const log = pino(new Writable({ write: (chunk, _encoding, done) => ((written += chunk), done()) }));
  const headers = requestId === undefined ? {} : { 'x-request-id': requestId };
  const request = { method: 'GET', url, headers } as unknown as IncomingMessage;
  const response = Object.assign(new EventEmitter(), {
    ...{ statusCode: status, writableFinished: !isAborted },
    setHeader: (_name: string, value: string) => void (id = value),
  });
  requestLog(log, '/base')(request, response as unknown as ServerResponse & { req: IncomingMessage });
  response.emit('close');
  return { line: written === '' ? null : (JSON.parse(written) as Line), id };
}

describe('The request log', () => {
  it('masks grants and playback tokens in paths and omits the query', () => {
    const pathOf = (url: string) => logged(url).line?.req.path;
    expect(pathOf('/base/api/box?access_token=secret')).to.equal('/api/box');
    expect(pathOf('/base/s/k1.full.secret/content/x')).to.equal('/s');
    expect(pathOf('/base/rest/integration/authtoken/k1.live.secret')).to.equal('/rest/integration/authtoken');
    expect(pathOf('/base/rest/integration/authtoken/a/secret')).to.equal('/rest/integration/authtoken');
    expect(pathOf('/base/rest/integration/hooks/srs?id=secret')).to.equal('/rest/integration/hooks/srs');
  });

  it('writes one line for each request, with its outcome', () => {
    const { line, id } = logged('/base/api/box');
    expect(line).to.include({ level: 30, msg: 'request completed', requestId: id });
    expect(line).to.deep.include({ req: { method: 'GET', path: '/api/box' }, res: { status: 200 } });
    expect(line?.responseTime).to.be.within(0, 1000);
    expect(logged('/base/api/box', { isAborted: true }).line).to.include({ level: 30, msg: 'request aborted' });
    expect(logged('/base/api/box', { status: 404 }).line).to.include({ level: 30 });
    expect(logged('/base/api/box', { status: 500 }).line).to.include({ level: 50 });
    expect(logged('/base/readyz').line).to.equal(null);
  });

  it('uses the caller’s request id if it is safe in a log', () => {
    expect(logged('/base/api/box', { requestId: 'a-safe-id_1' }).id).to.equal('a-safe-id_1');
    for (const requestId of ['short', 'a b c d e f', 'x'.repeat(65)]) {
      const { line, id } = logged('/base/api/box', { requestId });
      expect(id).to.match(/^[0-9a-f-]{36}$/);
      expect(line?.requestId).to.equal(id);
    }
  });
});

const methods = ['get', 'post', 'delete'] as const;

describe('the route table', () => {
  /** The pattern that handles a path, or null. */
  function matched(handler: RequestHandler, method: string, path: string, found: { pattern: string | null }) {
    found.pattern = null;
    let error: unknown;
    const request = { method: method.toUpperCase(), url: path, path } as Request;
    void handler(request, {} as Response, (thrown: unknown) => (error = thrown));
    return error ? 'error' : found.pattern;
  }

  it('finds the same route as a comparison with all patterns in order', () => {
    const found: { pattern: string | null } = { pattern: null };
    const entries: TableEntry[] = routes.map(({ method, path }) => ({
      ...{ method, path },
      handle: () => void (found.pattern = path),
    }));
    for (const method of methods) {
      const table = routeTable(method, entries);
      const all = Router({ caseSensitive: true });
      for (const entry of entries.filter((one) => one.method === method)) all[method](entry.path, entry.handle);
      for (const path of paths())
        expect(matched(table, method, path, found), `${method} ${path}`).to.equal(matched(all, method, path, found));
    }
  });

  /** Paths of all routes, and variants of them that match other routes or none. */
  function paths(): string[] {
    const filled = routes.flatMap(({ path }) => {
      const one = path.replace(/\*path/, 'a/b.m3u8').replaceAll(/:\w+/g, 'x1');
      const literal = path.replace(/\*path/, 'contents').replaceAll(/:\w+/g, 'search');
      return [one, literal];
    });
    return [...new Set(filled)].flatMap((path) => [
      ...[path, `${path}/`, `${path}//`, `/${path}`, `${path}/more`, path.replace('/', '//')],
      ...[path.toUpperCase(), path.replace('a', '%61'), `${path}%`, path.slice(0, path.lastIndexOf('/')) || '/'],
    ]);
  }
});
