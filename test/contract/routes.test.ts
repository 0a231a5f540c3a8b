import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { accessOf, type AccessRule } from '../../api/http/access.js';
import type { Route } from '../../api/http/route.js';
import { routes } from '../../api/routes.js';
import { projectFile } from '../support/projectFile.js';

interface Row {
  readonly section: string;
  readonly method: string;
  readonly path: string;
  readonly auth: 'P' | 'U' | 'B';
  readonly success: number;
}

/** The contract's operations, `docs/contract.md#conventions`. */
const contract = JSON.parse(readFileSync(projectFile('test/contract/endpoints.json'), 'utf8')) as readonly Row[];

/** What each marker of the contract permits. */
const accessesOf: Readonly<Record<Row['auth'], readonly AccessRule[]>> = {
  P: ['public'],
  U: ['user'],
  B: ['client', 'integration'],
};

/** Routes that are not in the contract, with the reason. */
const beyondContract: Readonly<Record<string, string>> = {
  'GET /api/progressbar/{}': 'docs/contract.md#choices-box: progress of an upload',
  'POST /api/progressbar/{}/play': 'docs/contract.md#choices-arriving',
  'POST /api/box/import': 'docs/contract.md#choices-import: a file that the service fetches',
  'POST /api/box/tus': 'docs/contract.md#choices-tus: uploads that resume',
  'HEAD /api/box/tus/{}': 'docs/contract.md#choices-tus',
  'PATCH /api/box/tus/{}': 'docs/contract.md#choices-tus',
  'DELETE /api/box/tus/{}': 'docs/contract.md#choices-tus',
  'POST /api/box/{}/reprocess': 'docs/contract.md#choices-reprocessing',
  'GET /api/box/{}/chapters': 'docs/contract.md#chapters',
  'POST /api/box/{}/chapters': 'docs/contract.md#chapters',
  'GET /api/box/{}/tracks': 'docs/contract.md#tracks',
  'POST /api/box/{}/tracks': 'docs/contract.md#tracks',
  'POST /api/box/{}/captions': 'docs/contract.md#captions',
  'GET /api/box/{}/captions': 'docs/contract.md#captions',
  'POST /api/box/{}/captions/{}': 'docs/contract.md#captions',
  'DELETE /api/box/{}/captions/{}': 'docs/contract.md#captions',
  'GET /api/box/{}/captions/{}/file.vtt': 'docs/contract.md#captions',
  'GET /api/box/{}/status/events': 'progress of transcoding, for its owner',
  'GET /download/content/{}': 'docs/contract.md#choices-box: the download that a token authorizes',
  'POST /api/thumbnail': 'docs/contract.md#choices-box: images to choose as thumbnails',
  'GET /asset/thumbnail/{}': 'docs/contract.md#choices-box: public image bytes',
  'GET /asset/thumbnail/{}/{}': 'docs/contract.md#choices-box: public image bytes, scaled',
  'GET /s/{}/{}': 'playlists and segments; the path contains the grant',
  'GET /account/email': 'docs/contract.md#choices-users: the page that confirms a new e-mail address',
  'POST /account/email': 'its form',
  'GET /': 'a start page for browsers',
  'GET /embed': 'a page with the player',
  'GET /embed/playback': 'the addresses for the player of that page, of public items only',
  'GET /embed/live': 'the state of a live event for that page',
  'GET /embed/cast': 'what a cast channel shows now, and the address, for that page',
  'POST /embed/pay': 'the payment of a video or a live event on that page',
  'GET /oembed': 'oEmbed of those pages',
  'GET /favicon.svg': 'the icon of our pages',
  'GET /favicon.ico': 'the same',
  'GET /robots.txt': 'for search engines',
  'GET /assets/*': 'scripts and styles of our pages',
  'GET /api/user/me/earnings': 'what sellers have earned',
  'POST /webhooks/{}': 'docs/contract.md#choices-payments: webhooks of the payment provider',
  'GET /sandbox/checkout/{}': 'the payment page of the sandbox',
  'POST /sandbox/checkout/{}': 'its form',
  'GET /openapi.json': 'the OpenAPI description of this table',
  'GET /docs': 'the same description as a page',
  'GET /docs/{}': 'files of that page',
  'GET /client.tgz': 'the npm package of the client',
  'GET /healthz': 'for the supervisor of the process',
  'GET /readyz': 'for the load balancer',
  'GET /metrics': 'metrics for operators',
  'GET /admin/mails': 'mails kept as files, for operators',
  'GET /admin/mails/{}': 'one of them',
  'POST /rest/{}/hooks/nginx-rtmp': 'docs/contract.md#hooks: hooks of external streaming servers',
  'POST /rest/{}/hooks/mediamtx': 'the same',
  'POST /rest/{}/hooks/srs': 'the same',
  'POST /rest/{}/hooks/node-media-server': 'the same',
  'POST /rest/{}/hooks/ovenmediaengine': 'the same',
  'GET /api/public/cast/channel/{}/dailyprogramming/{}': 'docs/contract.md#cast: the daily programming for everybody',
  'POST /api/cast/channel/{}/dailyprogramming/{}': 'docs/contract.md#cast: saves a day',
  'POST /api/cast/channel/{}/dailyprogramming/{}/insert': 'the same',
  'POST /api/cast/channel/{}/dailyprogramming/{}/move': 'the same',
  'POST /api/cast/channel/{}/dailyprogramming/{}/remove': 'the same',
  'DELETE /api/cast/channel/{}/dailyprogramming/{}': 'the same',
  'GET /api/cast/channel/{}/calendar/{}/{}': 'docs/contract.md#cast: several days',
  'DELETE /api/cast/channel/{}/calendar/{}/{}': 'the same',
  'POST /api/cast/calendar/copy': 'the same',
  'GET /api/public/cast/channel/{}/guide': 'docs/contract.md#choices-cast: now and next of a cast channel',
  'GET /api/public/cast/channel/{}/epg.xml': 'docs/contract.md#choices-cast: the guide of a cast channel as XMLTV',
  'POST /api/public/search/cast/programs': 'docs/contract.md#cast: the search of programs, without the last segment',
  'GET /api/public/cast/epg.xml': 'the same of all cast channels',
  'GET /api/public/cast/channels.m3u': 'docs/contract.md#choices-cast: the cast channels as a list for players',
  'GET /api/public/cast/channel/{}/playlist.m3u8': 'docs/contract.md#choices-cast: the addresses in this list',
  'GET /api/public/live/channel/{}/playlist.m3u8': 'docs/contract.md#choices-live: addresses for players',
  'GET /api/public/live/event/{}/playlist.m3u8': 'the same',
  'GET /api/public/license': 'docs/contract.md#choices-licenses: the available licenses',
  'POST /api/webhook': 'docs/contract.md#webhooks: addresses that are told of events',
  'GET /api/webhook': 'the same',
  'GET /api/webhook/{}': 'the same',
  'POST /api/webhook/{}': 'the same',
  'DELETE /api/webhook/{}': 'the same',
  'POST /api/webhook/{}/rotate': 'the same',
  'POST /api/webhook/{}/test': 'the same',
  'GET /api/webhook/{}/deliveries': 'the same',
  'GET /api/webhook/{}/deliveries/{}': 'the same',
  'POST /api/webhook/{}/deliveries/{}/resend': 'the same',
  'POST /rest/{}/edge/usage': 'docs/contract.md#integration: what an edge has sent',
  'GET /e/{}/{}': 'docs/decisions/playback.md#edge: addresses of an edge',
  'POST /api/license/downgrade': 'docs/contract.md#choices-licenses: return to the Free license',
};

/** Public reads that the replica does not answer, with the reason. */
const primaryReads: Readonly<Record<string, string>> = {
  'GET /api/public/user/activate': 'it changes something',
  'GET /api/public/user/password/renew': 'the same',
  'GET /api/public/live/streampath': 'what is free now',
  'GET /api/public/cast/streampath': 'the same',
  'GET /api/public/cast/channel/{}/guide': 'from caches that all callers share',
  'GET /api/public/cast/channel/{}/epg.xml': 'the same',
  'GET /api/public/cast/epg.xml': 'the same',
  'GET /api/public/cast/channels.m3u': 'the same',
  'GET /api/public/cast/channel/{}/playlist.m3u8': 'the same',
  'GET /api/public/live/channel/{}/playlist.m3u8': 'its play counts as those with POST',
  'GET /api/public/live/event/{}/playlist.m3u8': 'the same',
};

const shapeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}|<\w+>|[:*]\w+/g, '{}').replace(/^\/assets\/.*/, '/assets/*')}`;
const table = new Map(routes.map((route) => [shapeOf(route.method, route.path), route]));
const rows = new Map(contract.map((row) => [shapeOf(row.method, row.path), row]));

describe('The route table and the contract', () => {
  it('lists the 110 operations of the contract', () => {
    expect(contract).to.have.length(110);
  });

  for (const [shape, row] of rows) {
    it(`${shape} exists with its access and status (${row.section})`, () => {
      const route = table.get(shape);
      expect(route, 'the route').not.to.equal(undefined);
      expect(route?.status).to.equal(row.success);
      expect(accessOf(route?.path ?? '')).to.be.oneOf(accessesOf[row.auth]);
    });
  }

  it('every other route has a reason', () => {
    const unexplained = [...table.keys()].filter((shape) => !rows.has(shape) && !(shape in beyondContract));
    expect(unexplained).to.deep.equal([]);
    expect(Object.keys(beyondContract).filter((shape) => !table.has(shape))).to.deep.equal([]);
  });

  it('every other public read may be answered by the replica', () => {
    const isRead = ({ method, path }: Route): boolean => method === 'get' || path.includes('/search/');
    const reads = [...table].filter(([, route]) => route.path.startsWith('/api/public/') && isRead(route));
    const ofPrimary = reads.filter(([, route]) => !route.readsReplica).map(([shape]) => shape);
    expect(ofPrimary.toSorted()).to.deep.equal(Object.keys(primaryReads).toSorted());
  });

  it('no two routes share method and path', () => {
    const shapes = routes.map((route) => `${route.method} ${route.path}`);
    expect(new Set(shapes).size).to.equal(shapes.length);
  });

  it('a route that responds with JSON declares its schema, a route with a body reads it, and statuses are 2xx or a redirect', () => {
    for (const route of routes) {
      if (route.status !== 302) expect(route.status, route.path).to.be.within(200, 204);
      if (route.status === 204) expect(route.response, route.path).to.equal(null);
      if (
        route.path.startsWith('/api/') &&
        route.status !== 204 &&
        !/\/events$|\.(xml|m3u8?|vtt)$|\/tus\b/.test(route.path)
      )
        expect(route.response, route.path).not.to.equal(null);
      if (route.body) expect(route.method, route.path).to.equal('post');
      if (route.upload) expect(route.body, route.path).not.to.equal(undefined);
      expect(route.summary, route.path).to.match(/^\p{Lu}.*[^.]$/u);
    }
  });
});
