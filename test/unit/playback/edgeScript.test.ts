import { expect } from 'chai';
import fc from 'fast-check';
import { exampleFile } from '../../support/printedBlocks.js';
import { ValidationError } from '../../../shared/platform/errors.js';
import { reloadTargetOf } from '../../../shared/streaming/lowLatency/blockingReload.js';
import { edgeQueries } from '../../support/edgeAttacks.js';

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
