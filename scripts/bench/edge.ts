import { documentedEdge, hasJavaScriptModule } from '../documentation/documentedEdge.js';
import { freePort } from '../embedded/freePort.js';
import type { BenchContext } from './benchContext.js';
import { NotMeasured } from './figure.js';
import { startNginx } from './nginx.js';
import { startService, type Service } from './service.js';

const [keyId, key, secret] = ['bench', 'the-signing-key-of-the-bench', 'the-secret-of-the-bench'];

/** A service behind the edge of `docs/deploy.md`. */
export interface EdgeService {
  readonly service: Service;
  readonly url: string;
  /** Of the main process of nginx. */
  readonly nginx: number;
  /** Of files that the edge sends below `/static/` as they are, with a line in a log for each, as for those of the service. */
  readonly staticFolder: string;
}

/** Both end with the figure. @throws NotMeasured where there is no nginx with JavaScript. */
export async function startBehindEdge(bench: BenchContext): Promise<EdgeService> {
  if (process.platform !== 'linux') throw new NotMeasured('processor time of processes is known on Linux only');
  if (!hasJavaScriptModule()) throw new NotMeasured('there is no nginx with JavaScript');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const service = await startService(bench, {
    ...{ PLAYBACK_DELIVERY: 'edge', EDGE_URL: url, EDGE_KEYS: `${keyId}:${key}`, EDGE_SECRET: secret, PROXY_HOPS: '1' },
  });
  const [folder, staticFolder] = [await bench.folder(), await bench.folder()];
  const upstream = `127.0.0.1:${service.ctx.config.http.port}`;
  const { main, site } = await documentedEdge({ port, upstream, folder, keys: { [keyId]: key }, secret });
  const files = `location /static/ { alias ${staticFolder}/; access_log ${folder}/static.log edge; }`;
  const withFiles = `sendfile on; keepalive_requests 1000000;\n${site.replace('  location /e/ {', `  ${files}\n  location /e/ {`)}`;
  const { pid } = await startNginx(bench, withFiles, url, [main]);
  return { service, url, nginx: pid, staticFolder };
}
