import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenContext } from '../../../shared/openContext.js';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { storageFolder } from '../../../shared/platform/storage/openStorage.js';
import { sweepStreams } from '../../../shared/streaming/streaming.jobs.js';
import { elapsedSeconds, type Figure } from '../figure.js';
import { rowRuns, rowSegmentMs, startRowWriters } from '../liveRows.js';

/** The job comes once a minute, and finds what was written in a minute. */
const writtenSeconds = 60;

export const liveSweepFigure: Figure = {
  name: 'live-sweep',
  title: `Segments a second that the sweep removes while ${rowRuns.toLocaleString('en-US')} live runs write, against those that they write`,
  target: { atLeast: 1 },
  method:
    'The runs of `live-rows` write for a minute. Then all their segments get the age at which nobody can rewind to them, and their three files ' +
    'each, which are empty, on the disk. Ours: from the commit of the job `streaming.sweep` until the built worker has removed them all, while the runs write on. ' +
    'Reference: what a thousand encoders send, a segment each in two seconds. No file may remain. Leases that are lost meanwhile are counted.',
  async measure(bench) {
    const writers = await startRowWriters(bench);
    for (let second = 0; second < writtenSeconds; second++) {
      await sleep(1_000);
      bench.onProgress((second / writtenSeconds) * 50);
    }
    await bench.start('workers/main.js', { ...writers.environment, WORKER_QUEUES: 'sweeps' });
    const removed = await ageSegments(writers.ctx);
    const before = writers.written();
    const seconds = await elapsedSeconds(async () => {
      await writers.ctx.db.transaction((tx) => writers.ctx.outbox.add(tx, sweepStreams, {}));
      while (await hasOldSegments(writers.ctx)) await sleep(100);
    });
    const written = writers.written() - before;
    const lost = await writers.close();
    if ((await segmentFiles(writers.ctx)) > 0) throw new Error('files of removed segments remain');
    const reference = rowRuns / (rowSegmentMs / 1000);
    return {
      ...{ ours: removed / seconds, reference, unit: 'segments/s', result: removed / seconds / reference },
      note: `${removed.toLocaleString('en-US')} removed; meanwhile ${Math.round(written / seconds)} a second were written, and ${lost} of ${rowRuns} leases were lost`,
    };
  },
};

const liveFolder = (ctx: OpenContext): string => join(storageFolder(ctx.config), 'live');

/** Makes all segments a day older, and their files, which another process creates: this one has the runs. Resolves with their number. */
async function ageSegments(ctx: OpenContext): Promise<number> {
  const segments = await ctx.db.rows<{ folder: string; files: string[] }>(
    `UPDATE live_segments segment
        SET stored_at = stored_at - interval '1 day', starts_at = starts_at - interval '1 day'
       FROM live_sessions session WHERE session.id = segment.session_id
     RETURNING session.folder, ARRAY(SELECT rendition ->> 'file' FROM jsonb_array_elements(segment.renditions) AS rendition) AS files`,
  );
  for (const folder of new Set(segments.map((segment) => segment.folder)))
    await mkdir(join(liveFolder(ctx), folder), { recursive: true });
  const touch = withErrorListener(
    spawn('xargs', ['touch'], { cwd: liveFolder(ctx), stdio: ['pipe', 'inherit', 'inherit'] }),
  );
  touch.stdin.end(segments.flatMap(({ folder, files }) => files.map((file) => `${folder}/${file}\n`)).join(''));
  const [code] = (await once(touch, 'exit')) as [number | null];
  if (code !== 0) throw new Error('the files were not created');
  return segments.length;
}

async function hasOldSegments(ctx: OpenContext): Promise<boolean> {
  const old = await ctx.db.rows(`SELECT 1 FROM live_segments WHERE stored_at < now() - interval '12 hours' LIMIT 1`);
  return old.length > 0;
}

async function segmentFiles(ctx: OpenContext): Promise<number> {
  // The storage removes folders that are empty.
  await mkdir(liveFolder(ctx), { recursive: true });
  const names = await readdir(liveFolder(ctx), { recursive: true });
  return names.filter((name) => name.endsWith('.m4s')).length;
}
