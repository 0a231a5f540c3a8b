import { formatCivilDay } from '../cast/programming/day.js';
import type { DailyProgramming, OwnDay, PublicDay } from '../cast/programming/day.queries.js';
import { formatDateTime } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import { castChannelView, publicCastChannelView } from './cast.views.js';
import type { ResponseReader } from './responseReader.js';
import { programMembersView, programView } from './castProgram.views.js';

/** Daily programming of `docs/contract.md#cast`, for the channel's owner. */
export function dayView(day: OwnDay, reader: ResponseReader) {
  return {
    channel: castChannelView(day.channel, reader.ctx.config),
    ...membersOf(day, reader.zone),
    programs: day.programs.map((program) => programView(program, reader)),
  };
}

/** The public view of daily programming. */
export function publicDayView(day: PublicDay, { ctx, zone }: Pick<ResponseReader, 'ctx' | 'zone'>) {
  return {
    channel: publicCastChannelView(day.channel, ctx.config),
    ...membersOf(day, zone),
    programs: day.programs.map((program) => programMembersView(program, zone)),
  };
}

function membersOf({ day, bounds }: DailyProgramming<unknown, unknown>, zone: TimeZone) {
  const { startsAt, endsAt } = bounds;
  return {
    targetDate: formatCivilDay(day.civil),
    startDateMin: formatDateTime(startsAt, zone),
    endDateMax: formatDateTime(endsAt, zone),
  };
}
