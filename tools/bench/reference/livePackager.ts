/*
 * Only the packager of a live process: packages the FLV stream on standard input, and reports the processor seconds of this process
 * and its ffmpeg. Settings: those of the service, and OWNER_ID.
 */
import { randomUUID } from 'node:crypto';
import { openContext } from '../../../shared/openContext.js';
import { readConfig } from '../../../shared/settings.js';
import { openRun } from '../../../shared/streaming/liveRun.lifecycle.js';
import { LiveStream } from '../../../shared/streaming/streaming.model.js';
import { packageRun } from '../../../workers/live/packaging/packageRun.js';
import { flvSource } from '../../../workers/live/packaging/runSource.js';
import { cpuSecondsOf } from '../../processUsage.js';

const ctx = await openContext(readConfig('script', process.env));
const ownerId = process.env['OWNER_ID'] ?? '';
const stream = { id: randomUUID(), ownerId, kind: 'LIVE_CHANNEL' as const, path: randomUUID() };
await ctx.db.model(LiveStream).create({ ...stream, createdAt: ctx.clock.now() });
const leaseOwner = randomUUID();
const opened = await openRun(ctx, { streamId: stream.id, ownerId, source: 'RTMP', leaseOwner, clientAddress: null });
process.send?.('ready');
process.stdin.pause();

const before = cpuSecondsOf(process.pid);
const { reason } = await packageRun({
  ...{ ctx, log: ctx.log, run: { ...opened, leaseOwner }, signal: new AbortController().signal },
  source: flvSource(process.stdin),
});
if (reason !== 'source ended') throw new Error(`packaging ended: ${reason}`);
process.send?.(cpuSecondsOf(process.pid) - before);
await ctx.close();
