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

/** The access that each marker of the contract permits. */
const accessesOf: Readonly<Record<Row['auth'], readonly AccessRule[]>> = {
  P: ['public'],
  U: ['user'],
  B: ['client', 'integration'],
};

/** Routes that are not in the contract, by reason. */
const beyondContract: Readonly<Record<string, readonly string[]>> = {
  'docs/contract.md#choices-box: progress, downloads and images': [
    ...['GET /api/progressbar/{}', 'GET /download/content/{}', 'POST /api/thumbnail'],
    ...['GET /asset/thumbnail/{}', 'GET /asset/thumbnail/{}/{}'],
  ],
  'docs/contract.md#choices-arriving': ['POST /api/progressbar/{}/play'],
  'docs/contract.md#choices-import: a file that the service fetches': ['POST /api/box/import'],
  'docs/contract.md#choices-tus: resumable uploads': [
    ...['POST /api/box/tus', 'HEAD /api/box/tus/{}', 'PATCH /api/box/tus/{}'],
    'DELETE /api/box/tus/{}',
  ],
  'docs/contract.md#choices-reprocessing': ['POST /api/box/{}/reprocess'],
  'docs/contract.md#chapters': ['GET /api/box/{}/chapters', 'POST /api/box/{}/chapters'],
  'docs/contract.md#tracks': ['GET /api/box/{}/tracks', 'POST /api/box/{}/tracks'],
  'docs/contract.md#captions': [
    ...['POST /api/box/{}/captions', 'GET /api/box/{}/captions', 'POST /api/box/{}/captions/{}'],
    ...['DELETE /api/box/{}/captions/{}', 'GET /api/box/{}/captions/{}/file.vtt'],
  ],
  'progress of transcoding, for its owner': ['GET /api/box/{}/status/events'],
  'playlists and segments; the path contains the grant': ['GET /s/{}/{}'],
  'docs/contract.md#choices-users: the page that confirms an e-mail address': [
    'GET /account/email',
    'POST /account/email',
  ],
  'the payment page of the sandbox': ['POST /sandbox/checkout/{}', 'GET /sandbox/checkout/{}'],
  'pages for browsers and developers': [
    ...['GET /', 'GET /favicon.svg', 'GET /favicon.ico', 'GET /robots.txt', 'GET /assets/*'],
    ...['GET /openapi.json', 'GET /docs', 'GET /docs/{}', 'GET /client.tgz'],
  ],
  'the player page and the data of its scripts': [
    ...['GET /embed', 'GET /embed/playback', 'GET /embed/live', 'GET /embed/cast'],
    ...['POST /embed/pay', 'GET /oembed'],
  ],
  'sellers’ earnings': ['GET /api/user/me/earnings'],
  'docs/contract.md#choices-payments: webhooks of the payment provider': ['POST /webhooks/{}'],
  'for operators, supervisors and load balancers': [
    'GET /healthz',
    'GET /readyz',
    'GET /metrics',
    'GET /admin/mails',
    'GET /admin/mails/{}',
  ],
  'docs/contract.md#hooks: hooks of external streaming servers': [
    ...['POST /rest/{}/hooks/nginx-rtmp', 'POST /rest/{}/hooks/mediamtx'],
    ...['POST /rest/{}/hooks/srs', 'POST /rest/{}/hooks/node-media-server'],
    'POST /rest/{}/hooks/ovenmediaengine',
  ],
  'docs/contract.md#cast: days and their programs': [
    'GET /api/public/cast/channel/{}/dailyprogramming/{}',
    'POST /api/cast/channel/{}/dailyprogramming/{}',
    'POST /api/cast/channel/{}/dailyprogramming/{}/insert',
    'POST /api/cast/channel/{}/dailyprogramming/{}/move',
    'POST /api/cast/channel/{}/dailyprogramming/{}/remove',
    'DELETE /api/cast/channel/{}/dailyprogramming/{}',
    ...['GET /api/cast/channel/{}/calendar/{}/{}', 'DELETE /api/cast/channel/{}/calendar/{}/{}'],
    ...['POST /api/cast/calendar/copy', 'POST /api/public/search/cast/programs'],
  ],
  'docs/contract.md#choices-cast: guides and lists for players': [
    ...['GET /api/public/cast/channel/{}/guide', 'GET /api/public/cast/channel/{}/epg.xml'],
    ...['GET /api/public/cast/epg.xml', 'GET /api/public/cast/channels.m3u'],
    'GET /api/public/cast/channel/{}/playlist.m3u8',
  ],
  'docs/contract.md#choices-live: addresses for players': [
    'GET /api/public/live/channel/{}/playlist.m3u8',
    'GET /api/public/live/event/{}/playlist.m3u8',
  ],
  'docs/contract.md#choices-licenses: the available licenses': ['GET /api/public/license'],
  'docs/contract.md#webhooks: addresses that receive events, and their deliveries': [
    ...['POST /api/webhook', 'GET /api/webhook', 'GET /api/webhook/{}', 'POST /api/webhook/{}'],
    ...['DELETE /api/webhook/{}', 'POST /api/webhook/{}/rotate', 'POST /api/webhook/{}/test'],
    ...['GET /api/webhook/{}/deliveries', 'GET /api/webhook/{}/deliveries/{}'],
    'POST /api/webhook/{}/deliveries/{}/resend',
  ],
  'docs/contract.md#integration: usage reports of an edge server': ['POST /rest/{}/edge/usage'],
  'docs/decisions/playback.md#edge: addresses of an edge server': ['GET /e/{}/{}'],
  'docs/contract.md#choices-licenses: return to the Free license': ['POST /api/license/downgrade'],
};

/** Public reads that the replica does not serve, by reason. */
const primaryReads: Readonly<Record<string, readonly string[]>> = {
  'it changes data': ['GET /api/public/user/activate', 'GET /api/public/user/password/renew'],
  'it lists names that are free now': ['GET /api/public/live/streampath', 'GET /api/public/cast/streampath'],
  'served from caches that all callers share': [
    'GET /api/public/cast/channel/{}/guide',
    'GET /api/public/cast/channel/{}/epg.xml',
    'GET /api/public/cast/epg.xml',
    'GET /api/public/cast/channels.m3u',
    'GET /api/public/cast/channel/{}/playlist.m3u8',
  ],
  'its play counts like a play with POST': [
    'GET /api/public/live/channel/{}/playlist.m3u8',
    'GET /api/public/live/event/{}/playlist.m3u8',
  ],
};

const shapeOf = (method: string, path: string): string =>
  `${method.toUpperCase()} ${path.replace(/\{\w+\}|<\w+>|[:*]\w+/g, '{}').replace(/^\/assets\/.*/, '/assets/*')}`;
const table = new Map(routes.map((route) => [shapeOf(route.method, route.path), route]));
const rows = new Map(contract.map((row) => [shapeOf(row.method, row.path), row]));

describe('The route table and the contract', () => {
  it('list the 110 operations of the contract', () => expect(contract).to.have.length(110));

  for (const [shape, row] of rows)
    it(`agree on access and status of ${shape} (${row.section})`, () => {
      const route = table.get(shape);
      expect(route, 'the route').not.to.equal(undefined);
      expect(route?.status).to.equal(row.success);
      expect(accessOf(route?.path ?? '')).to.be.oneOf(accessesOf[row.auth]);
    });

  it('have a reason for every other route', () => {
    const others = [...table.keys()].filter((shape) => !rows.has(shape));
    expect(others).to.have.members(Object.values(beyondContract).flat());
  });

  it('let the replica serve every other public read', () => {
    const isRead = ({ method, path }: Route): boolean => method === 'get' || path.includes('/search/');
    const reads = [...table].filter(([, route]) => route.path.startsWith('/api/public/') && isRead(route));
    const ofPrimary = reads.filter(([, route]) => !route.readsReplica).map(([shape]) => shape);
    expect(ofPrimary).to.have.members(Object.values(primaryReads).flat());
  });

  it('have no two routes with the same method and path', () => {
    const shapes = routes.map((route) => `${route.method} ${route.path}`);
    expect(new Set(shapes).size).to.equal(shapes.length);
  });

  it('declare a schema for JSON responses, read each body, and have only 2xx or redirect statuses', () => {
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
