import { openContext, type OpenContext } from '../shared/openContext.js';
import { reportUnknownDefaultPlan } from '../shared/license/plan.queries.js';
import { runProcess, stopWithin } from '../shared/processLifecycle.js';
import { startLive } from './live/liveProcess.js';
import { checkTools } from './media/index.js';
import { openMetricsPort } from './runtime/metricsPort.js';

/** Time to store the last segments of the publications. */
const maxStopMs = 7_500;

await runProcess({
  kind: 'live',
  open: openContext,
  start,
  onReady: reportUnknownDefaultPlan,
  stopMs: stopWithin(maxStopMs),
});

async function start(ctx: OpenContext): Promise<(stopMs: number) => Promise<void>> {
  await checkTools(ctx.config.media);
  const closeMetrics = await openMetricsPort(ctx);
  const live = await startLive(ctx);
  return async (stopMs) => {
    await live.close(stopMs);
    await closeMetrics();
  };
}
