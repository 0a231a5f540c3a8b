import { freePort } from '../../embedded/freePort.js';
import { medianOf, NotMeasured, type Figure } from '../figure.js';
import { load } from '../load.js';
import { startNginx } from '../nginx.js';
import { cpuSecondsOf } from '../processUsage.js';
import { storeSegment } from '../segment.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

export const accel: Figure = {
  name: 'accel',
  title: 'HLS segment under a grant through nginx (`accel`), against nginx alone',
  target: { atLeast: 0.9 },
  method:
    'nginx with the lines of `docs/deploy.md` passes the request for a segment of 1.46 MB to the built web process with `PLAYBACK_DELIVERY=accel`, which ' +
    'checks the grant and counts the bytes, and sends the file; against another location of the same nginx for the same file. 10 connections. In parentheses the processor time of the web process for one segment.',
  async measure(bench) {
    if (process.platform !== 'linux') throw new NotMeasured('processor time of processes is known on Linux only');
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const service = await startService(bench, { PLAYBACK_DELIVERY: 'accel', PROXY_HOPS: '1' });
    const { key, grant } = await storeSegment(service);
    const files = service.ctx.storage.localPath(key)?.slice(0, -key.length) ?? '';
    await startNginx(bench, siteOf({ port, webPort: service.ctx.config.http.port, files }), url);
    const seconds = bench.quick ? 2 : 6;
    const rate = (path: string) => load({ urls: [`${url}/${path}`], seconds });
    const used: number[] = [];
    const measured = await sideBySide({
      ...{ unit: 'MB/s', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
      async ours() {
        const before = cpuSecondsOf(service.pid);
        const { requestsPerSecond, megabytesPerSecond } = await rate(`s/${grant}/${key}`);
        used.push((1000 * (cpuSecondsOf(service.pid) - before)) / (requestsPerSecond * seconds));
        return megabytesPerSecond;
      },
      reference: async () => (await rate(`direct/${key}`)).megabytesPerSecond,
    });
    return { ...measured, note: `${measured.note}; the web process needs ${medianOf(used).toFixed(2)} ms for each` };
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
