import { setTimeout as sleep } from 'node:timers/promises';
import { schedule as runAt, validateDetailed } from 'node-cron';
import { openClockContext, type ClockContext } from '../shared/clockContext.js';
import { runProcess, stopWithin } from '../shared/processLifecycle.js';
import { enqueueOnce, minuteOf } from '../shared/platform/queue/index.js';
import { scheduleOf, type ScheduledTask } from './schedule.js';

/** How long a tick is retried while the database is down. */
const retryForMs = 10 * 60_000;
const retryEveryMs = 5_000;

const maxStopMs = 4_500;

await runProcess({ kind: 'clock', open: openClockContext, start, stopMs: stopWithin(maxStopMs) });

async function start(ctx: ClockContext): Promise<() => Promise<void>> {
  const stopping = new AbortController();
  const tasks = scheduleOf(ctx.config).map((task) => {
    if (task.cron.trim().split(/\s+/).length !== 5 || !validateDetailed(task.cron).valid)
      throw new Error(`${task.name} has an invalid cron expression: ${task.cron}`);
    // The planned minute is the identity of a tick, so that two machines whose clocks differ slightly enqueue the same one.
    return runAt(task.cron, ({ date }) => enqueue(ctx, task, minuteOf(date), stopping.signal), {
      name: task.name,
      timezone: 'Etc/UTC',
      suppressMissedWarning: true,
    });
  });
  return async () => {
    stopping.abort();
    for (const task of tasks) await task.destroy();
  };
}

async function enqueue(ctx: ClockContext, task: ScheduledTask, minute: Date, stopping: AbortSignal): Promise<void> {
  const endsAt = performance.now() + retryForMs;
  while (!stopping.aborted) {
    try {
      const isFirst = await enqueueOnce(ctx, task, minute);
      if (isFirst) ctx.log.debug({ task: task.name, minute }, 'scheduled job enqueued');
      return;
    } catch (error) {
      const final = performance.now() > endsAt;
      ctx.log.warn({ err: error, task: task.name, minute, final }, 'scheduled job not enqueued');
      if (final) return;
      await sleep(retryEveryMs, undefined, { signal: stopping }).catch(() => {});
    }
  }
}
