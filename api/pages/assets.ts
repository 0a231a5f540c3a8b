import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineRoute, type Route } from '../http/route.js';
import { fixedContent, sendFixed } from '../http/sendFixed.js';

/** A file that pages refer to. */
interface Asset {
  readonly name: string;
  readonly bytes: Buffer;
}

const contentTypes: Readonly<Record<string, string>> = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

const playerFiles: readonly Asset[] = [
  { name: 'hls.js', bytes: readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js')) },
  ...['page.js', 'view.js', 'source.js', 'player.js', 'player.css'].map((name) => ({
    name,
    bytes: readFileSync(join(projectRoot(), 'api/pages/embed', name)),
  })),
];

/**
 * Folder of the player's files, below the base path. Its name contains a hash of the files, so that browsers may cache
 * them for ever while the scripts import each other by plain names.
 */
export const playerFolder = `/assets/player.${versionOf(playerFiles)}`;

export const assetRoutes: readonly Route[] = playerFiles.map(({ name, bytes }) => {
  const content = fixedContent(contentTypes[name.slice(name.lastIndexOf('.') + 1)] ?? '', bytes);
  return defineRoute({
    method: 'get',
    path: `${playerFolder}/${name}`,
    status: 200,
    summary: 'A script or style of the player page',
    response: null,
    handle: (request) => sendFixed(request, content, 'public, max-age=31536000, immutable'),
  });
});

function versionOf(files: readonly Asset[]): string {
  const hash = createHash('sha256');
  for (const { name, bytes } of files) hash.update(`${name} ${bytes.length}\n`).update(bytes);
  return hash.digest('base64url').slice(0, 12);
}

/** The files of pages are not compiled, so they are read from the project folder, outside of the build. */
function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}
