import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../../shared/platform/context.js';
import type { Figure } from '../figure.js';
import { liveProcesses, rowRuns, startRowWriters } from '../rowRuns.js';

/** Each connection reports its commits to the statistics about once a second. */
const reportSeconds = 1.5;

export const liveCommitsFigure: Figure = {
  name: 'live-rows',
  title: `Commits for each segment of ${rowRuns.toLocaleString('en-US')} live runs in ${liveProcesses} live processes`,
  target: { atMost: 1.2 },
  reason: 'operate.md: one PostgreSQL serves 1,000 live channels.',
  method:
    `The live process as it is, ${liveProcesses} times with ${rowRuns / liveProcesses} runs, but with a packager that only stores the row of a segment every two ` +
    'seconds. Commits as PostgreSQL counts them, over a minute, for each segment that was written meanwhile. No lease may be lost.',
  async measure(bench) {
    const { ctx, written, close } = await startRowWriters(bench);
    const seconds = bench.quick ? 10 : 60;
    const before = { commits: await commitsOf(ctx), segments: written() };
    await sleep(seconds * 1000);
    const segments = written() - before.segments;
    await sleep(reportSeconds * 1000);
    const commits = (((await commitsOf(ctx)) - before.commits) * seconds) / (seconds + reportSeconds);
    const lost = await close();
    if (lost > 0) throw new Error(`${lost} leases were lost`);
    const result = commits / segments;
    const note = `${Math.round(commits / seconds)} commits a second for ${Math.round(segments / seconds)} segments`;
    return { unit: 'commits', ours: result, reference: null, result, note };
  },
};

async function commitsOf(ctx: Context): Promise<number> {
  const [row] = await ctx.db.rows<{ commits: number }>(
    'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.commits ?? 0;
}
