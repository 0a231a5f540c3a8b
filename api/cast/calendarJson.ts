import { calendarSlots } from '../../shared/cast/programming/calendarSlots.js';
import { ownCastChannel } from '../../shared/cast/castChannel.queries.js';
import { daysFrom, formatCivilDay, type CivilDay, type Day } from '../../shared/cast/programming/day.js';
import { readCalendarDay } from '../../shared/cast/programming/day.queries.js';
import { yieldingBatches } from '../../shared/platform/timeSlices.js';
import type { RequestOf } from '../http/route.js';
import { programView } from '../../shared/views/castProgram.views.js';

type Reader = Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'userId' | 'zone' | 'language' | 'signal'>;

/** Programs that are serialized before the process yields to the event loop. */
const programsPerBatch = 100;

/**
 * A calendar of the caller's channel as JSON, one part for each day. Each day is read with one statement in its own slot of the
 * fair queue: a calendar needs the memory of one day, and a slow client blocks no slot. Throws NotFoundError before the first part.
 */
export async function* calendarJson(
  reader: Reader,
  channelId: string,
  { first, count }: { readonly first: CivilDay; readonly count: number },
): AsyncGenerator<string> {
  const { ctx, userId: ownerId, zone, signal } = reader;
  const { id } = await ownCastChannel(ctx, { channelId, ownerId });
  let separator = '{"dailyProgrammings":[';
  for (const day of daysFrom(zone, first, count)) {
    yield separator + (await calendarSlots(ctx).days.run(ownerId, () => dayJson(reader, id, day), signal));
    separator = ',';
  }
  yield ']}';
}

async function dayJson(reader: Reader, channelId: string, day: Day): Promise<string> {
  const programs: string[] = [];
  const stored = await readCalendarDay(reader.ctx, { channelId, ownerId: reader.userId }, day);
  for await (const part of yieldingBatches(stored, programsPerBatch))
    programs.push(...part.map((program) => JSON.stringify(programView(program, reader))));
  return `{"targetDate":${JSON.stringify(formatCivilDay(day.civil))},"programs":[${programs.join()}]}`;
}
