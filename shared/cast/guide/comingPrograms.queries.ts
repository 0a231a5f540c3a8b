import type { Context } from '../../platform/context.js';
import { maxProgramMs } from '../programming/program.queries.js';
import { isListed } from '../visibility.js';
import type { GuideProgram } from './guide.queries.js';

const maxPrograms = 300;

/** The programs of a channel between two times, and the next program after them, in order of time. Without breaks. */
export async function comingPrograms(
  ctx: Context,
  { channelId, from, until }: { readonly channelId: string; readonly from: Date; readonly until: Date },
): Promise<Pick<GuideProgram, 'title' | 'startsAt' | 'endsAt'>[]> {
  const earliest = new Date(from.getTime() - maxProgramMs);
  const programs = await ctx.db.rows<Pick<GuideProgram, 'title' | 'startsAt' | 'endsAt'>>(
    `SELECT program.title, program.starts_at, program.ends_at FROM cast_programs program
      WHERE program.channel_id = $channelId AND program.starts_at >= $earliest AND program.ends_at > $from AND ${isListed}
      ORDER BY program.starts_at LIMIT ${maxPrograms}`,
    { channelId, earliest, from },
  );
  const next = programs.findIndex(({ startsAt }) => startsAt >= until);
  return next < 0 ? programs : programs.slice(0, next + 1);
}
