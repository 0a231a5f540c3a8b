import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { freePort } from '../../embedded/freePort.js';
import { fillCatalogue } from '../catalogue.js';
import { medianOf, type Figure } from '../figure.js';
import { startService } from '../service.js';
import { sideBySide } from '../sideBySide.js';

const items = 1_000;

export const vodTracedFigure: Figure = {
  name: 'vod-traced',
  title: '`GET /api/vod/{id}` with traces that are sent, median time, against without',
  target: { atMost: 1.03 },
  method:
    'Two built web processes on one database, one of them with OTEL_EXPORTER_OTLP_ENDPOINT at a receiver in a process of its own that keeps nothing. ' +
    'One connection sends one request after the other. In each round the median of their times.',
  async measure(bench) {
    const { url, user, environment, ctx } = await startService(bench);
    const ids = await fillCatalogue(ctx, user.id, items);
    const [port, receiverPort] = [await freePort(), await freePort()];
    await bench.start('scripts/bench/reference/discardBodies.js', { PORT: String(receiverPort) });
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiverPort}` };
    await bench.start('api/main.js', { ...environment, ...traces, PORT: String(port) });
    const headers = { Authorization: `Bearer ${user.token}` };
    const requests = bench.quick ? 500 : 5_000;
    const median = async (base: string, onShare: (share: number) => void): Promise<number> => {
      const agent = new Agent({ keepAlive: true });
      const times: number[] = [];
      for (let index = 0; index < requests; index += 1) {
        const start = performance.now();
        await read(`${base}/api/vod/${ids[index % items]}`, { agent, headers });
        times.push(performance.now() - start);
        if (index % 100 === 0) onShare(index / requests);
      }
      agent.destroy();
      return medianOf(times);
    };
    return sideBySide({
      unit: 'ms',
      warmUps: 1,
      rounds: bench.quick ? 2 : 9,
      ours: (onShare) => median(`http://127.0.0.1:${port}`, onShare),
      reference: (onShare) => median(url, onShare),
      onProgress: bench.onProgress,
    });
  },
};

async function read(url: string, options: { agent: Agent; headers: Record<string, string> }): Promise<void> {
  const [response] = await once(withErrorListener(get(url, options)), 'response');
  if (response.statusCode !== 200) throw new Error(`${url} responded ${response.statusCode}`);
  response.resume();
  await once(response, 'end');
}
