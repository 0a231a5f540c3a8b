import type { Context } from '../../platform/context.js';
import { channelList } from './channelList.js';
import { guideAddresses } from './guideAddresses.js';
import { guideCastChannels, guidePrograms, type GuideSelection } from './guide.queries.js';
import { xmltvOf } from './xmltv.js';

const hourMs = 3_600_000;
export const maxGuideDays = 14;

/**
 * XMLTV from the current hour, for `days` days. It begins at a full hour, so the text changes only with the programs and
 * once an hour. Throws NotFoundError.
 */
export async function writeGuide(ctx: Context, selection: GuideSelection, days: number): Promise<string> {
  const from = new Date(Math.floor(ctx.clock.now().getTime() / hourMs) * hourMs);
  const until = new Date(from.getTime() + days * 24 * hourMs);
  const channels = await guideCastChannels(ctx, selection);
  const programs = await guidePrograms(ctx, channels, { from, until });
  return xmltvOf({ channels, programs }, guideAddresses(ctx.config), ctx.config.service.name);
}

/** The channels of all publishers, or of one, as an M3U list. */
export async function writeCastChannelList(ctx: Context, userCode: string | undefined): Promise<string> {
  return channelList(await guideCastChannels(ctx, { userCode }), guideAddresses(ctx.config), userCode);
}
