import { setTimeout as sleep } from 'node:timers/promises';
import { schedule as runAt, validateDetailed } from 'node-cron';
import type { OpenContext } from '../shared/context.js';
import { runProcess } from './runtime/processLifecycle.js';
import { scheduleOf, type ScheduledTask } from './schedule.js';
import { minuteOf, tick } from './runtime/tick.js';

/** A tick that finds the database away is made up for within this time. */
const patienceMs = 10 * 60_000;
const restMs = 5_000;

await runProcess('clock', async (ctx) => {
  const stopping = new AbortController();
  const tasks = scheduleOf(ctx.config).map((task) => {
    if (task.cron.trim().split(/\s+/).length !== 5 || !validateDetailed(task.cron).valid)
      throw new Error(`${task.name} has a bad time: ${task.cron}`);
    // The minute is that of the moment planned, so that two clocks that differ a little mean the same one.
    return runAt(task.cron, ({ date }) => tickPatiently(ctx, task, minuteOf(date), stopping.signal), {
      name: task.name,
      timezone: 'Etc/UTC',
      suppressMissedWarning: true,
    });
  });
  return async () => {
    stopping.abort();
    for (const task of tasks) await task.destroy();
  };
});

async function tickPatiently(
  ctx: OpenContext,
  task: ScheduledTask,
  minute: Date,
  stopping: AbortSignal,
): Promise<void> {
  const givenUpAt = performance.now() + patienceMs;
  while (!stopping.aborted) {
    try {
      const first = await tick(ctx, task, minute);
      if (first) ctx.log.info({ task: task.name, minute }, 'asked for');
      return;
    } catch (error) {
      ctx.log.warn({ err: error, task: task.name }, 'tick failed');
      if (performance.now() > givenUpAt) return;
      await sleep(restMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}
