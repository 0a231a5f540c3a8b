import type { Span, Tracing } from '../../shared/platform/tracing/tracing.js';
import { toolRuns, type ToolRun } from '../media/index.js';

/** Records each run of ffmpeg and ffprobe as a span within that of its job. */
export function traceTools(tracing: Tracing): void {
  const spans = new WeakMap<ToolRun, Span>();
  const failed = new WeakSet<ToolRun>();
  toolRuns.subscribe({
    start: (run: ToolRun) => void spans.set(run, tracing.begin(run.tool, { kind: 'internal' })),
    end: () => {},
    error: (run: ToolRun) => void failed.add(run),
    asyncStart: () => {},
    asyncEnd: (run: ToolRun) => spans.get(run)?.end({ hasFailed: failed.has(run) }),
  });
}
