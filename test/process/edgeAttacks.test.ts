import { readdir, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { expect } from 'chai';
import { playContent } from '../../shared/playback/playContent.js';
import type { TestApi } from '../support/api.js';
import { seedBoxItem, seedStream } from '../support/rows.js';
import { edgeQueries } from '../support/edgeAttacks.js';
import { eventually } from '../support/eventually.js';
import { makeSegment, type TestRun } from '../support/liveStreams.js';
import { rawRequest } from '../support/rawRequest.js';
import { describeWith, requirements } from '../support/requirements.js';
import { useFixture } from '../support/fixtures.js';
import { openEdge, openEdgeChannel } from './edgeFixture.js';

/** Other spellings of a path of a stream. */
const edgePaths: readonly ((path: string) => string)[] = [
  (path) => `/${path}`,
  (path) => `./${path}`,
  (path) => `x/../${path}`,
  ...['//', '/./', '/x/../', '/%2e/', '/%2E%2e/', '%2f', '%2F', '\\', '/;x/', '/%00/', '/..;/', '/.hidden/'].map(
    (between) => (path: string) => path.replace('/240p/', `${between}240p/`),
  ),
  ...['.', '..', '/', '/.', '%20', '%00', ';', ';x=1', '#', '%3Fdvr=1', '%23', '|1', '&dvr=1'].map(
    (end) => (path: string) => path + end,
  ),
  (path) => path.replace('/240p/', '/%3240p/'),
  (path) => path.replace('s0', '%730'),
  (path) => `${path}/${'a'.repeat(600)}`,
];

interface EdgeAttack {
  /** Sends the request target as an absolute URL with this origin. */
  readonly host?: string;
  readonly method?: string;
  /** Name, value, name, value. */
  readonly headers?: readonly string[];
}

/** Requests whose responses would differ from the usual one if their headers or methods counted. */
const edgeHeaders: readonly EdgeAttack[] = [
  {},
  ...[
    ['range', 'bytes=0-3'],
    ['range', 'bytes=-2'],
    ['range', 'bytes=900000-'],
    ['range', 'bytes=0-1', 'if-range', '"x"'],
    ['if-none-match', '*'],
    ['if-match', '"x"'],
    ['if-modified-since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['accept-encoding', 'gzip'],
    ['accept-encoding', 'br;q=1, identity;q=0'],
    ['accept', 'application/json'],
    ['accept-language', 'it'],
    ['x-forwarded-host', 'evil.example', 'x-forwarded-proto', 'ftp', 'x-forwarded-prefix', '/evil'],
    ['x-forwarded-for', '203.0.113.9', 'forwarded', 'for=203.0.113.9;host=evil.example'],
    ['x-original-url', '/api/public/license', 'x-rewrite-url', '/api/public/license'],
    ['x-http-method-override', 'HEAD', 'x-method-override', 'DELETE'],
    ['x-accel-redirect', '/protected/x', 'x-accel-expires', '0'],
    ['x-request-id', 'chosen-by-somebody', 'traceparent', `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    ['x-edge-secret', 'wrong'],
    ['authorization', 'Bearer x', 'cookie', 'a=b'],
    ['cache-control', 'no-store', 'pragma', 'no-cache'],
    ['expect', '100-continue'],
    ['connection', 'close, x-edge-secret'],
  ].map((headers) => ({ headers })),
  { host: 'http://evil.example' },
  { method: 'HEAD' },
  { method: 'HEAD', headers: ['range', 'bytes=0-3'] },
  { method: 'OPTIONS', headers: ['origin', 'https://evil.example'] },
  { method: 'POST' },
  { method: 'DELETE' },
];

const segments = 40;
const origin = ['origin', 'https://elsewhere.example'];
/** Of a connection or of one request. */
const ownHeaders = ['connection', 'keep-alive', 'date', 'x-request-id', 'content-length', 'transfer-encoding', 'vary'];

/** The number of renditions of the run: each attack uses its own playlist. */
const maxLists = 1_000;

type Answer = Awaited<ReturnType<typeof rawRequest>>;

/** The edge server of `docs/deploy.md`: the requests of one viewer never change the responses to others. */
describeWith(requirements.nginxJavaScript, 'an edge server under attack', function () {
  this.timeout(60_000);
  const opened = useFixture(openEdge);
  /** The edge server and the web process behind it. */
  let edge: TestApi;
  let web: TestApi;
  let run: TestRun;
  /** The playlist folder of a live channel. */
  let live: string;
  let startsAt = Date.now() - 2_000 * (segments + 1);

  before(async () => {
    await opened.startWeb();
    await opened.startNginx();
    [edge, web] = [opened.api, opened.deployment.api];
    const renditions = Array.from({ length: maxLists }, (_, index) => `${index + 1}p`);
    ({ run, path: live } = await openEdgeChannel(opened, renditions));
    for (let segment = 0; segment < segments; segment += 1) await publish();
  });

  async function publish(): Promise<void> {
    startsAt += 2_000;
    await makeSegment(opened.deployment.ctx, run, { renditions: ['240p'], startsAt: new Date(startsAt) });
  }

  const get = (api: TestApi, path: string, headers: readonly string[] = origin, method = 'GET') =>
    rawRequest(api, { method, path, headers });

  /** A playlist that was never requested. Segments exist only in 240p, which is listed for every rendition of the run. */
  let lists = 0;
  const newList = (): string => {
    expect((lists += 1), 'lists').to.be.at.most(maxLists);
    return `${live}${lists}p.m3u8`;
  };

  /** The path of a new film's segment, which was never requested. */
  async function newSegment(): Promise<string> {
    const {
      owner,
      deployment: { ctx },
    } = opened;
    const item = await seedBoxItem(ctx, owner.userId);
    await seedStream(ctx, item.folder);
    const content = { id: item.contentId, folder: item.contentId, state: 'READY', durationMs: 60_000 } as const;
    const by = { publisherCode: owner.userCode, viewerCode: owner.userCode, kind: 'full' } as const;
    const generation = { readyGeneration: 1, readyAttempt: null };
    const { streamer } = await playContent(ctx, { content: { ...content, ...generation }, ...by });
    return new URL('240p/s0.m4s', streamer).pathname;
  }

  const namesOf = ({ headers }: Answer) => Object.keys(headers).filter((name) => !ownHeaders.includes(name));

  /** Expects equal responses of the edge and the web process, and returns the response. */
  async function expectClean(path: string, after: string): Promise<Answer> {
    const [sent, clean] = [await get(edge, path), await get(web, path)];
    expect([sent.status, sent.text], `${path} after ${after}`).to.deep.equal([200, clean.text]);
    for (const name of namesOf(clean))
      expect(sent.headers[name], `${name} of ${path} after ${after}`).to.equal(clean.headers[name]);
    expect(clean.headers, `${path} after ${after}`).to.include.keys(namesOf(sent).filter((name) => name !== 'server'));
    return sent;
  }

  const messageOf = ({ text }: Answer): string => (JSON.parse(text) as { message: string }).message;

  /** The cache keys of a path. */
  async function keysOf(path: string): Promise<string[]> {
    const [, , , ...rest] = path.split('/');
    const found: string[] = [];
    for (const zone of ['cache', 'cache-queries']) {
      const root = join(opened.folder, zone);
      for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const [, key = ''] = /\nKEY: (.*)\n/.exec(await readFile(join(entry.parentPath, entry.name), 'latin1')) ?? [];
        const [, queried = ''] = key.split('?');
        expect(queried === '', `${key} in ${zone}`).to.equal(zone === 'cache');
        if (key.split('?', 1)[0]?.endsWith(rest.join('/'))) found.push(key.slice(key.indexOf(rest.join('/'))));
      }
    }
    return found.map((key) => key.replace(rest.join('/'), '')).toSorted();
  }

  const cleanQueries = [
    ...['', '?dvr=1', '?_HLS_skip=YES', '?_HLS_skip=YES&dvr=1', '?_HLS_msn=3', '?_HLS_msn=3&_HLS_part=2'],
  ];

  it('sends other viewers the requested playlist after any query, and the attacker the service’s response', async () => {
    const variants = await Promise.all(
      cleanQueries.map(async (query) => (await get(web, `${live}240p.m3u8${query}`)).text),
    );
    expect(new Set(variants).size, 'short, long and without the old segments').to.equal(3);
    for (const query of edgeQueries) {
      const list = newList();
      const [attack, direct] = [await get(edge, `${list}?${query}`), await get(web, `${list}?${query}`)];
      expect(attack.status, query).to.equal(direct.status);
      if (direct.status === 200) expect(attack.text, query).to.equal(direct.text);
      else expect(messageOf(attack), query).to.equal(messageOf(direct));
      for (const clean of cleanQueries) await expectClean(list + clean, query);
    }
    for (const query of edgeQueries) {
      await get(edge, `${live}master.m3u8?${query}`);
      for (const clean of ['', '?dvr=1']) await expectClean(`${live}master.m3u8${clean}`, query);
    }
    expect(await keysOf(`${live}master.m3u8`)).to.deep.equal(['', '?dvr=1']);
  });

  it('caches few responses of one playlist for any query, and four without numbers', async () => {
    const list = newList();
    const plain = edgeQueries.filter((query) => !/msn|part/i.test(query));
    const ask = async (query: string): Promise<number> => (await get(edge, `${list}?${query}`)).status;
    for (const query of plain) await ask(query);
    for (let value = 0; value < 300; value += 1) await ask(`dvr=${value + 2}&session=${value}&x${value}=1`);
    expect(await keysOf(list)).to.deep.equal(['', '?_HLS_skip=YES', '?_HLS_skip=YES&dvr=1', '?dvr=1']);
  });

  it('caches no response to numbers that no player waits for', async () => {
    const list = newList();
    const last = segments - 1;
    const stored: string[] = [];
    for (const number of [0, last, last + 2, last + 3, 10_000, 999_999_999])
      for (const [part, suffix] of [0, 11, 12, 99_999].map((value) => [value, `&_HLS_part=${value}`] as const)) {
        const query = `?_HLS_msn=${number}${suffix}`;
        expect((await get(edge, list + query)).status, query).to.equal(200);
        if (number <= last + 2 && part < 12) stored.push(query);
      }
    expect(await keysOf(list)).to.deep.equal(stored.toSorted());
  });

  it('accepts one spelling of a path and does not request any other', async () => {
    const segment = await newSegment();
    const [, , token = '', ...path] = segment.split('/');
    const asked = async (): Promise<number> => {
      const lines = (await readFile(join(opened.folder, 'edge.log'), 'utf8')).trim().split('\n');
      return lines.filter((line) => (JSON.parse(line) as { cache: string }).cache !== '').length;
    };
    const before = await asked();
    const statuses: number[] = [];
    for (const change of edgePaths) statuses.push((await get(edge, `/e/${token}/${change(path.join('/'))}`)).status);
    expect([400, 403, 404]).to.include.members(statuses);
    // Only the name with trailing dots is also a valid file name.
    expect(statuses.filter((status) => status === 404)).to.have.length(2);
    expect((await asked()) - before, 'requests to the cache or the origin').to.equal(2);
    await expectClean(segment, 'other spellings');
    expect(await keysOf(segment)).to.deep.equal(['']);
  });

  it('sends other viewers the complete file with the usual headers after any request headers', async () => {
    for (const { host = '', method = 'GET', headers = [] } of edgeHeaders) {
      const name = `${host} ${method} ${headers.join(' ')}`;
      for (const path of [await newSegment(), newList()]) {
        const attack = await get(edge, host + path, headers, method);
        const sent = await expectClean(path, name);
        expect(sent.headers['x-request-id'], name).to.match(/^[0-9a-f-]{36}$/);
        if (method === 'GET') expect([200, 206, 304, 412, 416], name).to.include(attack.status);
      }
    }
    const [preflight, wrong] = [
      await get(edge, newList(), [...origin, 'access-control-request-headers', 'x-player'], 'OPTIONS'),
      await get(edge, `${newList()}?_HLS_msn=x`, ['accept-language', 'it']),
    ];
    expect(preflight.headers['access-control-allow-headers']).to.equal('x-player');
    expect(messageOf(wrong)).to.match(/deve essere/);
  });

  it('limits the blocking requests of one viewer in any spelling of their parameters', async () => {
    const begun = performance.now();
    const statuses = (
      await Promise.all(Array.from({ length: 4 }, () => pipelined(`${live}240p.m3u8?%5FHLS_msn=3`, 900)))
    ).flat();
    const permitted = 500 + 500 * ((performance.now() - begun) / 1_000);
    expect(new Set(statuses)).to.deep.equal(new Set(['200', '429']));
    expect(statuses.filter((status) => status === '200').length).to.be.within(500, permitted + 1);
  });

  /** The statuses of requests that are sent together on one connection. */
  async function pipelined(path: string, count: number): Promise<string[]> {
    const { hostname, port } = new URL(edge.url);
    const socket = connect(Number(port), hostname);
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\n\r\n`.repeat(count - 1));
    socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nconnection: close\r\n\r\n`);
    const statuses = (await textOf(socket)).matchAll(/^HTTP\/1\.1 (\d+)/gm);
    return [...statuses].map(([, status = '']) => status);
  }

  it('never sends an old playlist to viewers who wait for the next segment, even after an earlier request for it', async () => {
    const list = `${newList()}?_HLS_msn=${segments}`;
    const early = await get(edge, list);
    expect(early.headers['cache-control']).to.equal('public, max-age=1, must-revalidate');
    await publish();
    const statuses: string[] = [];
    await eventually(async () => {
      const late = await get(edge, list);
      const lines = (await readFile(join(opened.folder, 'edge.log'), 'utf8')).trim().split('\n');
      statuses.push((JSON.parse(lines.at(-1) ?? '') as { cache: string }).cache);
      expect(late.text).not.to.equal(early.text);
    });
    expect(statuses.filter((status) => status !== 'HIT')).to.deep.equal(['EXPIRED']);
  });
});
