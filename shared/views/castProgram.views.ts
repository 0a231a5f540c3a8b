import type { OwnProgram, ProgramDetails, PublicProgram } from '../cast/programming/program.queries.js';
import { formatDateTime } from '../platform/formats/format.js';
import type { TimeZone } from '../platform/formats/timeZone.js';
import type { ResponseReader } from './responseReader.js';
import { titledView } from './describedItem.views.js';
import { contentMembersView } from './contentMembers.views.js';
import { castStreamView, publicCastChannelView } from './cast.views.js';

/** Cast program of `docs/contract.md#fields-cast-program`, for its owner. `message`: the reason why the slate is shown instead. */
export function programView(program: OwnProgram, { ctx, zone, language }: ResponseReader) {
  const { content, stream, boxItemId, offsetSeconds, failureKey } = program;
  return {
    ...programMembersView(program, zone),
    ...(stream ? { stream: castStreamView(stream, ctx.config) } : {}),
    ...(content
      ? { boxContent: { boxId: boxItemId, ...contentMembersView(content, ctx.config.service.urnNamespace) } }
      : {}),
    ...(offsetSeconds > 0 ? { offset: offsetSeconds } : {}),
    ...(failureKey ? { message: ctx.translate(language, failureKey) } : {}),
  };
}

/** The public view: with its channel instead of content and stream. */
export function publicProgramView(program: PublicProgram, { ctx, zone }: Pick<ResponseReader, 'ctx' | 'zone'>) {
  return { ...programMembersView(program, zone), channel: publicCastChannelView(program.channel, ctx.config) };
}

/** The members of both views. */
export function programMembersView(program: ProgramDetails, zone: TimeZone) {
  const { id, type, startsAt, endsAt, shownThumbnailId: thumbnailId } = program;
  return {
    programId: id,
    ...titledView({ ...program, thumbnailId }),
    startDate: formatDateTime(startsAt, zone),
    endDate: formatDateTime(endsAt, zone),
    itemType: type,
  };
}
