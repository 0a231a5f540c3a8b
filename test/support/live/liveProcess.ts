import { pino } from 'pino';
import type { PackageOptions } from '../../../workers/live/packaging/packageOptions.js';
import type { packageRun } from '../../../workers/live/packaging/packageRun.js';
import type { RunSource } from '../../../workers/live/packaging/runSource.js';
import { startLive, type LiveProcess } from '../../../workers/live/liveProcess.js';
import { createMetrics, type Metrics } from '../../../shared/platform/metrics.js';
import type { TestContext } from '../context.js';
import { watchLogLine } from '../testFaults.js';

/** A run from the packager's perspective. */
export interface PackagedRun {
  readonly options: PackageOptions;
  bytes: number;
  /** Ends the packager of a pulled source. */
  end(): void;
}

export interface TestLive extends LiveProcess {
  readonly packaged: PackagedRun[];
  readonly metrics: Metrics;
  readonly log: string[];
  /** Log lines with this message, without level and time. */
  logged(message: string): Record<string, unknown>[];
}

/** Starts a live process in this process, by default with a packager that only counts bytes. */
export async function startTestLive(ctx: TestContext, packager?: typeof packageRun): Promise<TestLive> {
  const packaged: PackagedRun[] = [];
  const log: string[] = [];
  const pack: typeof packageRun = async (options) => {
    let end = (): void => {};
    const ended = new Promise<void>((resolve) => (end = resolve));
    options.signal.addEventListener('abort', end);
    const run: PackagedRun = { options, bytes: 0, end };
    packaged.push(run);
    if ('url' in options.source) await ended;
    else await count(run, options.source);
    return { reason: 'source ended' };
  };
  const write = (line: string): void => {
    log.push(line);
    watchLogLine(line);
  };
  const logger = pino({ level: 'debug' }, { write });
  const metrics = createMetrics('live');
  const live = await startLive({ ...ctx, metrics, log: logger }, packager ?? pack);
  return {
    ...live,
    packaged,
    metrics,
    log,
    logged: (message) =>
      log
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ msg }) => msg === message)
        .map(({ level: _level, time: _time, pid: _pid, hostname: _hostname, msg: _msg, ...rest }) => rest),
  };
}

async function count(run: PackagedRun, { tags }: RunSource): Promise<void> {
  for await (const batch of tags) for (const { payload } of batch) run.bytes += payload.length;
}
