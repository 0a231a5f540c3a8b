import { freePort } from '../../../scripts/embedded/freePort.js';
import { fillCatalogue } from '../catalogue.js';
import type { Figure } from '../figure.js';
import { load } from '../load.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const items = 10_000;
const requestedIds = 200;

export const vodReadFigure: Figure = {
  name: 'vod',
  title: '`GET /api/vod/{id}` with a token, against bare Express + pg',
  target: { atLeast: 0.75 },
  reason: 'operate.md: the reads of one web process.',
  method:
    'The built web process at its default settings (with its log and metrics) against an Express handler in its own process ' +
    'that runs the same query of three joined tables by primary key, through pg as a prepared statement, with a pool of the same size, and checks no token. ' +
    `10 connections, ${requestedIds} of ${items.toLocaleString('en-US')} items in turn.`,
  async measure(bench) {
    const { url, user, environment, ctx } = await startService(bench);
    const ids = await fillCatalogue(ctx, user.id, items);
    const port = await freePort();
    await bench.start('tools/bench/reference/plainVodRead.js', {
      ...environment,
      PORT: String(port),
      OWNER_ID: user.id,
      DATABASE_POOL_SIZE: String(ctx.config.database.poolSize),
    });
    const paths = ids.slice(0, requestedIds).map((id) => `/api/vod/${id}`);
    const headers = { Authorization: `Bearer ${user.token}` };
    const seconds = bench.quick ? 2 : 6;
    const rate = (base: string): Promise<number> => load({ urls: paths.map((path) => base + path), headers, seconds });
    return sideBySide({
      ...{ unit: 'requests/s', warmUps: 1, rounds: bench.quick ? 2 : 5, onProgress: bench.onProgress },
      ours: () => rate(url),
      reference: () => rate(`http://127.0.0.1:${port}`),
    });
  },
};
