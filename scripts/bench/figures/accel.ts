import { freePort } from '../../embedded/freePort.js';
import { NotMeasured, type Figure } from '../figure.js';
import { startNginx } from '../nginx.js';
import { storeBenchSegment } from '../segment.js';
import { downloadMilliseconds } from '../serverTime.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const accelFigure: Figure = {
  name: 'accel',
  title: 'HLS segment under a grant through nginx (`accel`), processor time beyond nginx alone',
  target: { atMost: 0.3 },
  targetUnit: 'ms',
  method:
    'nginx with the lines of `docs/deploy.md` passes the request for a segment of 1.46 MB to the built web process with `PLAYBACK_DELIVERY=accel`, which ' +
    'checks the grant and counts the bytes, and sends the file; against another location of the same nginx for the same file. Four processes of curl. Processor time for one segment, of nginx and of the web process; measured is the difference of the medians.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('processor time of processes is known on Linux only');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = await startService(bench, { PLAYBACK_DELIVERY: 'accel', PROXY_HOPS: '1' });
    const { key, grant } = await storeBenchSegment(service);
    const files = service.ctx.storage.localPath(key)?.slice(0, -key.length) ?? '';
    const { pid: nginx } = await startNginx(bench, siteOf({ port, webPort: service.ctx.config.http.port, files }), url);
    const requests = bench.quick ? 400 : 2_000;
    const used = (path: string, node: readonly number[]) =>
      downloadMilliseconds({ nginx, node }, `${url}/${path}`, requests);
    const measured = await sideBySide({
      ...{ unit: 'ms', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
      ours: () => used(`s/${grant}/${key}`, [service.pid]),
      reference: () => used(`direct/${key}`, []),
    });
    const note = `${measured.note} times nginx alone`;
    return { ...measured, result: measured.ours - (measured.reference ?? 0), note };
  },
};

/** As in `docs/deploy.md`, with the location of the reference. */
function siteOf({ port, webPort, files }: { port: number; webPort: number; files: string }): string {
  const shared = [
    `alias ${files};`,
    'sendfile on;',
    'add_header Access-Control-Allow-Origin * always;',
    'add_header Access-Control-Expose-Headers "Content-Length,Content-Range,Accept-Ranges,ETag" always;',
    'add_header Cross-Origin-Resource-Policy cross-origin always;',
    'add_header X-Content-Type-Options nosniff always;',
  ].join(' ');
  return `
    upstream video { server 127.0.0.1:${webPort}; keepalive 32; }
    server {
      listen 127.0.0.1:${port};
      location / {
        proxy_pass http://video;
        proxy_http_version 1.1;
        proxy_set_header Connection "";
        proxy_set_header Host $host;
        proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
        proxy_set_header X-Forwarded-Proto $scheme;
        proxy_buffering off;
      }
      location /protected/ { internal; ${shared} }
      location /direct/ { ${shared} }
    }`;
}
