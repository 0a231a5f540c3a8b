/*
 * The packaging of a live process alone: packages the FLV stream on standard input, and reports what it used. Settings: those
 * of the service, and OWNER_ID.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { openRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { LiveStream } from '../../../shared/streaming/streaming.model.js';
import { flvSource } from '../../../workers/live/packaging/runSource.js';
import { packageRun } from '../../../workers/live/packaging/packageRun.js';
import { cpuSecondsOf } from '../processUsage.js';

/** What a run has used. */
export interface PackagerReport {
  readonly runId: string;
  /** Of this process and its ffmpeg. */
  readonly cpuSeconds: number;
  /** More memory than before the run, in this process, and that of its ffmpeg. */
  readonly nodeBytes: number;
  readonly encoderBytes: number;
}

const ctx = await openContext(readConfig('script', process.env));
const ownerId = process.env['OWNER_ID'] ?? '';
const stream = { id: randomUUID(), ownerId, kind: 'LIVE_CHANNEL' as const, path: randomUUID() };
await ctx.db.model(LiveStream).create({ ...stream, createdAt: ctx.clock.now() });
const leaseOwner = randomUUID();
const opened = await openRun(ctx, { streamId: stream.id, ownerId, source: 'RTMP', leaseOwner, clientAddress: null });
process.send?.('ready');
process.stdin.pause();

const before = { cpu: cpuSecondsOf(process.pid), bytes: process.memoryUsage.rss() };
let nodeBytes = 0;
let encoderBytes = 0;
const timer = setInterval(() => {
  nodeBytes = Math.max(nodeBytes, process.memoryUsage.rss() - before.bytes);
  encoderBytes = Math.max(encoderBytes, bytesOfChildren());
}, 1_000);
const { reason } = await packageRun({
  ...{ ctx, log: ctx.log, run: { ...opened, leaseOwner }, signal: new AbortController().signal },
  source: flvSource(process.stdin),
});
clearInterval(timer);
if (reason !== 'source ended') throw new Error(`packaging ended: ${reason}`);
const cpuSeconds = cpuSecondsOf(process.pid) - before.cpu;
const report: PackagerReport = { runId: opened.runId, cpuSeconds, nodeBytes, encoderBytes };
process.send?.(report);
await ctx.close();

/** Reads two small files: to look at all processes of the machine would take a good part of what is measured. */
function bytesOfChildren(): number {
  const pids = readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
  return pids.reduce((sum, pid) => sum + bytesOf(pid), 0);
}

function bytesOf(pid: string): number {
  try {
    const [, pages = '0'] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(pages) * 4096;
  } catch {
    // It has ended since.
    return 0;
  }
}
