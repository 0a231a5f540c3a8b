import { readFileSync } from 'node:fs';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed } from '../http/sendFixed.js';

/** The npm package that the build creates from `client`. It contains all of its imports. */
const clientPackage = fixedContent(
  'application/gzip',
  readFileSync(new URL('../../client.tgz', import.meta.url)),
  null,
);

/** The client of this version, for `npm install <address>`. */
export const clientRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/client.tgz',
    status: 200,
    operationId: 'getClient',
    summary: 'Get the typed client of this version',
    description: 'An npm package without dependencies, for Node and browsers: `npm install <this URL>`.',
    response: null,
    otherResponses: { 200: ['application/gzip'], 304: [] },
    // After an upgrade of the service, the first installation must get the new one.
    handle: (request) => sendFixed(request, clientPackage, 'public, no-cache'),
  }),
];
