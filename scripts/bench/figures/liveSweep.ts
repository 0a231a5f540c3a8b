import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenContext } from '../../../shared/context.js';
import { liveScopes } from '../../../shared/liveScopes.js';
import { storageFolder } from '../../../shared/platform/storage/openStorage.js';
import { sweepRuns, sweepSegments } from '../../../shared/streaming/sweep.service.js';
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
    'each, which are empty, on the disk. Ours: what the job `streaming.sweep` does then, while the runs write on in the same process. ' +
    'Reference: what a thousand encoders send, a segment each in two seconds. No lease may be lost, and no file may remain.',
  async measure(bench) {
    const writers = await startRowWriters(bench);
    for (let second = 0; second < writtenSeconds; second++) {
      await sleep(1_000);
      bench.onProgress((second / writtenSeconds) * 50);
    }
    await ageSegments(writers.ctx);
    const before = writers.written();
    let removed = 0;
    const seconds = await elapsedSeconds(async () => {
      await sweepRuns(writers.ctx);
      const retained = await liveScopes.retainedWindows(writers.ctx);
      removed = await sweepSegments(writers.ctx, retained, new AbortController().signal);
    });
    const written = writers.written() - before;
    await writers.close();
    if ((await segmentFiles(writers.ctx)) > 0) throw new Error('files of removed segments remain');
    const reference = rowRuns / (rowSegmentMs / 1000);
    return {
      ...{ ours: removed / seconds, reference, unit: 'segments/s', result: removed / seconds / reference },
      note: `${removed.toLocaleString('en-US')} removed; meanwhile ${Math.round(written / seconds)} a second were written`,
    };
  },
};

const liveFolder = (ctx: OpenContext): string => join(storageFolder(ctx.config), 'live');

/** Makes all segments a day older, and their files. */
async function ageSegments(ctx: OpenContext): Promise<void> {
  const segments = await ctx.db.rows<{ folder: string; files: string[] }>(
    `UPDATE live_segments segment
        SET stored_at = stored_at - interval '1 day', starts_at = starts_at - interval '1 day'
       FROM live_sessions session WHERE session.id = segment.session_id
     RETURNING session.folder, ARRAY(SELECT rendition ->> 'file' FROM jsonb_array_elements(segment.renditions) AS rendition) AS files`,
  );
  for (const folder of new Set(segments.map((segment) => segment.folder)))
    await mkdir(join(liveFolder(ctx), folder), { recursive: true });
  for (const { folder, files } of segments)
    await Promise.all(files.map((file) => writeFile(join(liveFolder(ctx), folder, file), '')));
}

async function segmentFiles(ctx: OpenContext): Promise<number> {
  // The storage removes folders that are empty.
  await mkdir(liveFolder(ctx), { recursive: true });
  const names = await readdir(liveFolder(ctx), { recursive: true });
  return names.filter((name) => name.endsWith('.m4s')).length;
}
