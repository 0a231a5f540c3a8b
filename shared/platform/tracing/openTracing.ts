import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { Tracing } from './tracing.js';

/** Null if no receiver is configured: the code that records and sends traces is then not loaded. */
export async function openTracing(config: Config, log: Logger): Promise<Tracing | null> {
  if (!config.tracing) return null;
  const { openTelemetry } = await import('./openTelemetry.js');
  return openTelemetry(config, config.tracing, log);
}
