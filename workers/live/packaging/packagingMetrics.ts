import { Counter, Histogram } from 'prom-client';
import type { Metrics } from '../../../shared/platform/metrics.js';
import { inputChanges } from './inputWatch.js';

const restartReasons = [...inputChanges, 'behind', 'misaligned', 'failed'] as const;
type RestartReason = (typeof restartReasons)[number];

/** Metrics of live packaging. */
export interface PackagingMetrics {
  /** An ffmpeg process of a run has ended, and another one continues. */
  restarted(reason: RestartReason): void;
  /** A rendition was dropped because the machine is too slow. */
  dropped(): void;
  /** A segment is stored in all its renditions and listed. `delaySeconds`: since the arrival of its last frame. */
  listed(delaySeconds: number): void;
}

const restartsName = 'live_encoder_restarts_total';
const droppedName = 'live_renditions_dropped_total';
const storedName = 'live_segments_stored_total';
const delayName = 'live_segment_delay_seconds';

/** The metrics of the process, which all its runs share. */
export function packagingMetrics({ registry }: Metrics): PackagingMetrics {
  const registers = [registry];
  const restarts =
    (registry.getSingleMetric(restartsName) as Counter<'reason'> | undefined) ??
    new Counter({
      name: restartsName,
      help: 'ffmpeg processes of live runs that were replaced, by reason',
      labelNames: ['reason'],
      registers,
    });
  const renditions =
    (registry.getSingleMetric(droppedName) as Counter | undefined) ??
    new Counter({ name: droppedName, help: 'Live renditions dropped because encoding was too slow', registers });
  const stored =
    (registry.getSingleMetric(storedName) as Counter | undefined) ??
    new Counter({
      name: storedName,
      help: 'Live segments stored and listed; all renditions of a segment count as one',
      registers,
    });
  const delay =
    (registry.getSingleMetric(delayName) as Histogram | undefined) ??
    new Histogram({
      name: delayName,
      help: 'Seconds from the arrival of the end of a live segment until it is listed',
      buckets: [0.1, 0.2, 0.5, 1, 2, 5, 10, 20],
      registers,
    });
  for (const reason of restartReasons) restarts.inc({ reason }, 0);
  return {
    restarted: (reason) => restarts.inc({ reason }),
    dropped: () => renditions.inc(),
    listed(seconds) {
      stored.inc();
      delay.observe(Math.max(0, seconds));
    },
  };
}
