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
    const folders = await ageSegments(writers.ctx);
    const before = writers.written();
    let removed = 0;
    const seconds = await elapsedSeconds(async () => {
      await sweepRuns(writers.ctx);
      const retained = await liveScopes.retainedWindows(writers.ctx);
      removed = await sweepSegments(writers.ctx, retained, new AbortController().signal);
    });
    const written = writers.written() - before;
    await writers.close();
    if ((await filesIn(folders)) > 0) throw new Error('files of removed segments remain');
    const reference = rowRuns / (rowSegmentMs / 1000);
    return {
      ...{ ours: removed / seconds, reference, unit: 'segments/s', result: removed / seconds / reference },
      note: `${removed.toLocaleString('en-US')} removed; meanwhile ${Math.round(written / seconds)} a second were written`,
    };
  },
};

/** Makes all segments a day older, and their files. Resolves with the folders of the files. */
async function ageSegments(ctx: OpenContext): Promise<readonly string[]> {
  const segments = await ctx.db.rows<{ folder: string; files: string[] }>(
    `UPDATE live_segments segment
        SET stored_at = stored_at - interval '1 day', starts_at = starts_at - interval '1 day'
       FROM live_sessions session WHERE session.id = segment.session_id
     RETURNING session.folder, ARRAY(SELECT rendition ->> 'file' FROM jsonb_array_elements(segment.renditions) AS rendition) AS files`,
  );
  const folderOf = (folder: string): string => join(storageFolder(ctx.config), 'live', folder);
  const folders = [...new Set(segments.map(({ folder }) => folderOf(folder)))];
  for (const folder of folders) await mkdir(folder, { recursive: true });
  for (const { folder, files } of segments)
    await Promise.all(files.map((file) => writeFile(join(folderOf(folder), file), '')));
  return folders;
}

async function filesIn(folders: readonly string[]): Promise<number> {
  const counts = await Promise.all(folders.map(async (folder) => (await readdir(folder)).length));
  return counts.reduce((sum, count) => sum + count, 0);
}
