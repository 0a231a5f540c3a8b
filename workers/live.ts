import { openContext, type OpenContext } from '../shared/context.js';
import { runProcess } from '../shared/processLifecycle.js';
import { startLive } from './live/liveProcess.js';
import { checkTools } from './media/checkTools.js';
import { openMetricsPort } from './runtime/metricsPort.js';

const stopMs = 9_500;

await runProcess({ kind: 'live', open: openContext, start, stopMs });

async function start(ctx: OpenContext): Promise<() => Promise<void>> {
  await checkTools(ctx.config.media);
  const closeMetrics = await openMetricsPort(ctx);
  const live = await startLive(ctx);
  return async () => {
    await live.close();
    await closeMetrics();
  };
}
