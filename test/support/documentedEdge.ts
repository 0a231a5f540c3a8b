import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exampleFile, replacedIn } from './printedBlocks.js';

const javaScriptModule = '/usr/lib/nginx/modules/ngx_http_js_module.so';

/** Whether the nginx of this machine runs JavaScript: Debian's `libnginx-mod-http-js`. */
export function hasJavaScriptModule(): boolean {
  return existsSync(javaScriptModule);
}

export interface EdgeSettings {
  readonly port: number;
  /** The web process: `127.0.0.1:3000`, or a socket: `unix:/run/http.sock`. */
  readonly upstream: string;
  /** Folder of the edge's files and of its log `edge.log`. */
  readonly folder: string;
  /** The secrets of `EDGE_KEYS` by their ids. */
  readonly keys: Readonly<Record<string, string>>;
  /** `EDGE_SECRET` */
  readonly secret: string;
}

/** The nginx of `docs/deploy.md#edge` with other paths and ports: the lines outside and inside of its `http` block. */
export async function documentedEdge(edge: EdgeSettings): Promise<{ readonly main: string; readonly site: string }> {
  const lines = await exampleFile('edge.conf');
  const keysPath = join(edge.folder, 'edge-keys');
  const keyLines = Object.entries(edge.keys).map(([id, key]) => `~^/e/${id}\\. "${key}";`);
  await writeFile(keysPath, keyLines.join('\n'));
  await writeFile(join(edge.folder, 'edge.js'), await exampleFile('edge.js'));
  const site = replacedIn(lines, 'examples/edge.conf', [
    ['/etc/nginx/edge-keys', keysPath],
    ['js_path /etc/nginx;', `js_path ${edge.folder};`],
    ['listen 80;', `listen 127.0.0.1:${edge.port};`],
    ['/var/cache/nginx/edge', join(edge.folder, 'cache')],
    ['/var/log/nginx/edge.log', join(edge.folder, 'edge.log')],
    ['the-secret-of-the-edge', edge.secret],
  ]);
  return {
    main: `load_module ${javaScriptModule};`,
    site: `upstream video { server ${edge.upstream}; keepalive 32; }\n${site}`,
  };
}
