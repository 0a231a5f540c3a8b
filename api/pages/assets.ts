import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { NotFoundError } from '../../shared/platform/errors.js';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed, type FixedContent } from '../http/sendFixed.js';

const contentTypes: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

/** `scripts/bundlePages.cjs` writes the files, each also compressed. */
const bundles = new URL('bundles/', import.meta.url);
const read = (name: string): Buffer => readFileSync(new URL(name, bundles));
const names = readdirSync(bundles)
  .filter((name) => extname(name) in contentTypes)
  .toSorted();

/**
 * Folder of the player's files, below the base path. Its name contains a hash of the files, so that browsers may cache them
 * indefinitely.
 */
export const playerFolder = `/assets/player.${versionOfBundles()}`;

const contents: ReadonlyMap<string, FixedContent> = new Map(
  names.map((name) => [
    `${playerFolder}/${name}`,
    fixedContent(contentTypes[extname(name)] ?? '', read(name), { br: read(`${name}.br`), gzip: read(`${name}.gz`) }),
  ]),
);

export const assetRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/assets/:version/*path',
    status: 200,
    operationId: 'getPageAsset',
    summary: 'Get a script or style of the player page, or the licenses of the packages in them',
    description: 'The URL changes with the content.',
    errors: [404],
    response: null,
    otherResponses: { 200: ['text/javascript', 'text/css', 'text/plain'], 304: [] },
    async handle(request) {
      const content = contents.get(request.response.req.path);
      if (!content) throw new NotFoundError();
      await sendFixed(request, content, 'public, max-age=31536000, immutable');
    },
  }),
];

function versionOfBundles(): string {
  const hash = createHash('sha256');
  for (const name of names) hash.update(`${name}\n`).update(read(name));
  return hash.digest('base64url').slice(0, 12);
}
