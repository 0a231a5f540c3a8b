import { appendFile, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { reportUsage, type SendBatch } from '../../../scripts/edgeUsage.js';
import { ValidationError } from '../../../shared/platform/errors.js';
import { checkEdgeToken, isEdgeToken, signedGrant, writeEdgeToken } from '../../../shared/playback/edgeToken.js';
import { checkGrant, writeGrant } from '../../../shared/playback/grant.js';
import { reloadTargetOf } from '../../../shared/streaming/lowLatency/blockingReload.js';
import { edgeQueries } from '../../support/edgeAttacks.js';
import { exampleFile } from '../../support/projectFile.js';

type EdgeFunction = (request: { readonly variables: Readonly<Record<string, string>> }) => string;

/** The parameters that the service reads from a live playlist's query. */
function understood(query: string, isMaster: boolean): unknown {
  const parameters = new URLSearchParams(query);
  const isRewind = parameters.get('dvr') === '1';
  if (isMaster) return { isRewind };
  try {
    const isDelta = ['YES', 'v2'].includes(parameters.get('_HLS_skip') ?? '');
    return { isRewind, isDelta, target: reloadTargetOf(parameters) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.errors.map(({ field, code }) => `${field} ${code}`);
  }
}

/** The functions of `docs/examples/edge.js`, which any edge server can run. */
describe('edge.js', () => {
  const folder = 'live/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/';
  const token = (kind: string): string => `/e/a.${kind}.bob.4000000000.${'A'.repeat(22)}/`;
  let script: Record<'path' | 'query', EdgeFunction>;

  before(async () => {
    const text = await exampleFile('edge.js');
    ({ default: script } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as {
      default: typeof script;
    });
  });

  const queryOf = (address: string): string => script.query({ variables: { request_uri: address } });
  const listQuery = (query: string, list = '240p'): string =>
    queryOf(`${token('live')}${folder}${list}.m3u8${query === '' ? '' : `?${query}`}`);

  const names = ['dvr', '_HLS_msn', '_HLS_part', '_HLS_skip', 'session'];
  const values = ['1', 'YES', 'v2', '0', '12', '007', '999999999', '1000000000', '', '-1', '1.0', ' 1', '1\n', '١'];
  /** Another spelling of a text, or a text that a lenient parser would read as it. */
  const spelled = (texts: readonly string[]) =>
    fc.tuple(fc.constantFrom(...texts), fc.integer({ min: 0, max: 9 }), fc.nat()).map(([text, way, place]) => {
      const encoded = encodeURIComponent(text);
      const at = place % (text.length + 1);
      const code = (text.codePointAt(at) ?? 0x31).toString(16).padStart(2, '0');
      if (way === 0) return text.toUpperCase();
      if (way === 1) return text.toLowerCase();
      if (way === 2 && code.length === 2) return `${text.slice(0, at)}%${code}${text.slice(at + 1)}`;
      if (way === 3) return `+${text}`;
      if (way === 4) return encodeURIComponent(encoded);
      return encoded;
    });
  const parameter = fc
    .tuple(spelled(names), fc.constantFrom('=', '=', '=', '==', '%3D', ''), spelled(values))
    .map((parts) => parts.join(''));
  const anyQuery = fc
    .tuple(
      fc.array(fc.oneof({ weight: 6, arbitrary: parameter }, fc.string({ unit: 'grapheme-ascii' })), { maxLength: 6 }),
      fc.constantFrom('&', '&', '&', ';', '&&', '%26', '?'),
    )
    .map(([all, separator]) => all.join(separator).replaceAll('\n', '%0A'));

  it('writes an equivalent query in one spelling', () => {
    const forms = /^(\?(?=.)(_HLS_msn=\d+(&_HLS_part=\d+)?(&|$))?(_HLS_skip=YES(&|$))?(dvr=1)?)?$/;
    const rejected = ['?_HLS_msn=', '?_HLS_part=', '?_HLS_part=0'];
    const check = (query: string): void => {
      for (const list of ['240p', 'master']) {
        const written = listQuery(query, list);
        const isMaster = list === 'master';
        expect(understood(written, isMaster), query).to.deep.equal(understood(query, isMaster));
        expect(listQuery(written.slice(1), list), query).to.equal(written);
        if (isMaster) expect(['', '?dvr=1'], query).to.include(written);
        else if (!rejected.includes(written)) expect(written, query).to.match(forms);
      }
    };
    for (const query of edgeQueries) check(query);
    fc.assert(fc.property(anyQuery, check), { numRuns: 500 });
  });

  it('writes few different queries for a list, apart from the awaited numbers', () => {
    const written = new Set<string>();
    const collect = (query: string): void => void written.add(listQuery(query).replaceAll(/\d{2,}/g, '#'));
    fc.assert(fc.property(anyQuery, collect), { numRuns: 5_000 });
    expect(written.size).to.be.within(8, 3 + 4 * (1 + 3 + 9));
    expect(listQuery(`dvr=${'x'.repeat(7_000)}`)).to.equal('');
    expect(listQuery('_HLS_msn=0012&_HLS_part=03&dvr=1&_HLS_skip=v2&x=1')).to.equal(
      '?_HLS_msn=12&_HLS_part=3&_HLS_skip=YES&dvr=1',
    );
  });

  it('removes the query of everything but live playlists', () => {
    const query = '?dvr=1&_HLS_msn=3&_HLS_skip=YES';
    for (const path of ['still.jpg', 'x/1/240p.m4s', '240p.m3u8.', 'a/240p.m3u8', '24000p.m3u8', 'master.M3U8'])
      expect(queryOf(token('live') + folder + path + query), path).to.equal('');
    for (const kind of ['full', 'preview', 'cast', 'file', 'track'])
      expect(queryOf(`${token(kind)}content/5f0c6a52/g1/240p.m3u8${query}`), kind).to.equal('');
  });
});

const keys = [{ id: 'e1', secret: 'a secret of sixteen or more' }];
const content = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6a/g1/';
const other = 'content/5f0c6a52-3b1e-4d0a-9a43-1f2e3d4c5b6b/g1/';
const now = new Date('2026-11-26T10:00:00Z');
const expiresSeconds = now.getTime() / 1000 + 60;
const edgeGrant = { kind: 'full', publisherCode: 'bob.x', expiresSeconds, prefix: content } as const;

describe('The token of an edge', () => {
  const segment = writeEdgeToken(keys, edgeGrant);

  it('opens every file below its folder for its publisher, without a viewer', () => {
    for (const file of ['master.m3u8', '720p/s0.m4s']) {
      const check = checkEdgeToken(keys, segment, content + file, now);
      expect(check).to.deep.equal({ grant: { ...edgeGrant, viewerCode: null, sessionId: 'everybody' } });
    }
  });

  it('is invalid when any character is changed, for another folder, and with another key', () => {
    for (let position = 0; position < segment.length; position += 1) {
      for (const character of ['A', 'b', '0', '_', '-', '.']) {
        const forged = segment.slice(0, position) + character + segment.slice(position + 1);
        if (forged === segment) continue;
        expect(checkEdgeToken(keys, forged, `${content}a.m4s`, now), forged).to.deep.equal({ rejected: 'invalid' });
      }
    }
    expect(checkEdgeToken(keys, segment, `${other}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
    const others = [{ id: 'e1', secret: 'another secret of sixteen' }];
    expect(checkEdgeToken(others, segment, `${content}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
    expect(checkEdgeToken([], segment, `${content}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
  });

  it('identifies its publisher even after it has expired', () => {
    const later = new Date(now.getTime() + 60_000);
    expect(checkEdgeToken(keys, segment, `${content}a.m4s`, later)).to.deep.equal({ rejected: 'expired' });
    expect(signedGrant(keys, segment, `${content}a.m4s`)).to.include({ publisherCode: 'bob.x' });
  });

  it('is not accepted as a viewer’s grant, nor a grant as a token, even with the same key', () => {
    const grant = { ...edgeGrant, sessionId: 'session-0_1', viewerCode: 'ann' };
    expect(isEdgeToken(writeGrant(keys, grant))).to.equal(false);
    expect(isEdgeToken(segment)).to.equal(true);
    expect(checkGrant(keys, segment, `${content}a.m4s`, now)).to.deep.equal({ rejected: 'invalid' });
    expect(checkEdgeToken(keys, writeGrant(keys, grant), `${content}a.m4s`, now)).to.deep.equal({
      rejected: 'invalid',
    });
  });
});

const line = (token: string, bytes: number, more = ''): string =>
  `${JSON.stringify({ uri: `/e/${token}/content/a/s0.m4s${more}`, status: 200, bytes, cache: 'HIT' })}\n`;

/** Counts each batch once, as the service does. */
class Service {
  readonly ids = new Set<string>();
  readonly bytes = new Map<string, number>();
  /** The number of batches that are counted although their response is lost. */
  lost = 0;

  readonly send: SendBatch = async ({ batchId, usage }) => {
    if (!this.ids.has(batchId))
      for (const { address, bytes } of usage) {
        const token = address.split('/')[2] ?? '';
        this.bytes.set(token, (this.bytes.get(token) ?? 0) + bytes);
      }
    this.ids.add(batchId);
    if (this.lost > 0) {
      this.lost -= 1;
      throw new Error('no response');
    }
  };
}

describe('The usage report of an edge server', () => {
  let folder: string;
  let log: string;
  let service: Service;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'video-platform-edge-'));
    log = join(folder, 'edge.log');
    service = new Service();
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('counts the bytes of each token, including later lines', async () => {
    await writeFile(log, line('a', 10) + line('b', 5, '?session=x') + line('a', 7));
    expect(await reportUsage(log, service.send)).to.deep.equal({ batches: 1, bytes: 22 });
    expect(await reportUsage(log, service.send)).to.deep.equal({ batches: 0, bytes: 0 });
    await appendFile(log, line('a', 3) + line('c', 1).slice(0, -1));
    await reportUsage(log, service.send);
    expect([...service.bytes], 'an incomplete line is not read').to.deep.equal([
      ['a', 20],
      ['b', 5],
    ]);
    await appendFile(log, '\n');
    await reportUsage(log, service.send);
    expect(service.bytes.get('c')).to.equal(1);
  });

  it('sends the same batch again after a lost response, without lines written meanwhile', async () => {
    await writeFile(log, line('a', 10));
    service.lost = 2;
    for (const bytes of [20, 30]) {
      await reportUsage(log, service.send).then(
        () => expect.fail('no response'),
        () => {},
      );
      await appendFile(log, line('a', bytes));
    }
    await reportUsage(log, service.send);
    expect([service.bytes.get('a'), service.ids.size]).to.deep.equal([60, 2]);
  });

  it('includes the previous file after a log rotation', async () => {
    await writeFile(log, line('a', 1));
    await reportUsage(log, service.send);
    await appendFile(log, line('a', 10));
    await rename(log, `${log}.1`);
    await writeFile(log, '');
    await reportUsage(log, service.send);
    await appendFile(`${log}.1`, line('a', 100));
    await appendFile(log, line('a', 1_000));
    await reportUsage(log, service.send);
    expect(service.bytes.get('a')).to.equal(1_111);
  });

  it('divides many tokens into batches and skips lines that are not JSON or not about a stream', async () => {
    const lines = Array.from({ length: 4_500 }, (_, index) => line(`t${index}`, 1));
    const noise = [
      'no json\n',
      '{"uri":"/e/\xff/x","bytes":"1"}\n',
      '{"uri":"/other","status":200,"bytes":5}\n',
      line('t', 9).replace('200', '403'),
      '[]\n',
      'null\n',
    ];
    await writeFile(log, [...noise, ...lines].join(''), 'latin1');
    expect(await reportUsage(log, service.send)).to.deep.equal({ batches: 3, bytes: 4_500 });
    expect(service.bytes.size).to.equal(4_500);
    const { offset } = JSON.parse(await readFile(`${log}.reported`, 'utf8')) as { offset: number };
    expect(offset).to.equal((await readFile(log)).length);
  });
});
