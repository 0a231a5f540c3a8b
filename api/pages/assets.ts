import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NotFoundError } from '../../shared/platform/errors.js';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed, type FixedContent } from '../http/sendFixed.js';

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const ownFolder = join(projectRoot(), 'api/pages/embed');
const mediaChromeFolder = dirname(fileURLToPath(import.meta.resolve('media-chrome/dist/index.js')));
const hlsFile = createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js');

/** Module scripts of the player page. Names are paths below the folder of the player. */
const modules = modulesOf('player.js');

const files: ReadonlyMap<string, Buffer> = new Map([
  ...modules,
  ['hls.js', readFileSync(hlsFile)],
  ['player.css', readFileSync(join(ownFolder, 'player.css'))],
]);

/** All module scripts of the player. The page preloads them, so that they do not wait for each other. */
export const playerModules: readonly string[] = [...modules.keys()];

/**
 * Folder of the player's files, below the base path. Its name contains a hash of the files, so that browsers may cache
 * them for ever while the scripts import each other by plain names.
 */
export const playerFolder = `/assets/player.${versionOf(files)}`;

const contents: ReadonlyMap<string, FixedContent> = new Map(
  [...files].map(([name, bytes]) => [
    `${playerFolder}/${name}`,
    fixedContent(contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? '', bytes),
  ]),
);

export const assetRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/assets/:version/*path',
    status: 200,
    operationId: 'getPageAsset',
    summary: 'Get a script or style of the player page',
    description: 'Its address changes with its content.',
    errors: [404],
    response: null,
    otherResponses: { 200: ['text/javascript', 'text/css'], 304: [] },
    async handle(request) {
      const content = contents.get(request.response.req.path);
      if (!content) throw new NotFoundError();
      await sendFixed(request, content, 'public, max-age=31536000, immutable');
    },
  }),
];

/**
 * A module of ours, and all modules that it imports. `./media-chrome/...` are the modules of the package, as it publishes
 * them: they import each other by relative paths.
 */
function modulesOf(entry: string): ReadonlyMap<string, Buffer> {
  const found = new Map<string, Buffer>();
  const visit = (name: string): void => {
    if (found.has(name)) return;
    const [, inPackage] = /^media-chrome\/(.*)/.exec(name) ?? [];
    const bytes = readFileSync(inPackage === undefined ? join(ownFolder, name) : join(mediaChromeFolder, inPackage));
    found.set(name, bytes);
    for (const [, path = ''] of bytes.toString().matchAll(/^(?:import|\} from|import .* from) ["'](\.[^"']+)["'];/gm))
      visit(posix.join(posix.dirname(name), path));
  };
  visit(entry);
  return found;
}

function versionOf(versioned: ReadonlyMap<string, Buffer>): string {
  const hash = createHash('sha256');
  for (const [name, bytes] of versioned) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  return hash.digest('base64url').slice(0, 12);
}

/** The files of pages are not compiled, so they are read from the project folder, outside of the build. */
function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
