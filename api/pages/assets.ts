import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { defineRoute, type RequestOf, type Route } from '../http/route.js';

/** A file that pages refer to. Its path names its content, so it may be kept for ever. */
interface Asset {
  /** Below the base path. */
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

const compress = promisify(gzip);

export const assets = {
  hls: assetOf('hls', 'js', readFileSync(createRequire(import.meta.url).resolve('hls.js/dist/hls.light.min.js'))),
  playerScript: assetOf('player', 'js', readFileSync(join(projectRoot(), 'api/pages/embed/player.js'))),
  playerStyle: assetOf('player', 'css', readFileSync(join(projectRoot(), 'api/pages/embed/player.css'))),
} as const satisfies Record<string, Asset>;

export const assetRoutes: readonly Route[] = Object.values(assets).map((asset) =>
  defineRoute({
    method: 'get',
    path: asset.path,
    status: 200,
    summary: 'A script or style of our pages',
    answers: null,
    handle: (request) => send(request, asset),
  }),
);

function assetOf(name: string, kind: 'js' | 'css', bytes: Buffer): Asset {
  const version = createHash('sha256').update(bytes).digest('base64url').slice(0, 12);
  const contentType = kind === 'js' ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8';
  return { path: `/assets/${name}.${version}.${kind}`, contentType, bytes };
}

/** The sources of pages are not compiled: they stay where they are, beside the folder of the build. */
function projectRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

const compressed = new WeakMap<Asset, Promise<Buffer>>();

async function send({ response, headers }: RequestOf<unknown, unknown, unknown>, asset: Asset): Promise<void> {
  const takesGzip = /\bgzip\b/.test(String(headers['accept-encoding'] ?? ''));
  const bytes = takesGzip ? await compressedOnce(asset) : asset.bytes;
  if (takesGzip) response.setHeader('Content-Encoding', 'gzip');
  response.setHeader('Vary', 'Accept-Encoding');
  response.setHeader('Content-Type', asset.contentType);
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.setHeader('Content-Length', bytes.length);
  response.end(response.req.method === 'HEAD' ? undefined : bytes);
}

function compressedOnce(asset: Asset): Promise<Buffer> {
  const known = compressed.get(asset) ?? compress(asset.bytes, { level: 9 });
  compressed.set(asset, known);
  return known;
}
