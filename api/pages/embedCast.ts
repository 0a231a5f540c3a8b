import { comingPrograms } from '../../shared/cast/guide/comingPrograms.queries.js';
import { castDelaySeconds } from '../../shared/cast/playout.service.js';
import { playCastChannel, type PlayedCastChannel } from '../../shared/playback/playCast.js';
import type { PlayResult } from '../../shared/playback/playResult.js';
import type { RequestOf } from '../http/route.js';
import { pathOf } from './pageFrame.js';

/** A program on the page. Times are milliseconds since 1970. */
export interface ShownProgram {
  readonly title: string;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** What the page of a channel needs to know; its script decides by this what it shows (`embed/castState.js`). */
export interface CastStatus {
  /** Name of the channel. */
  readonly title: string;
  /** Time of the server, in milliseconds since 1970. */
  readonly now: number;
  /** What airs within this time does not change any more. */
  readonly validSeconds: number;
  readonly result: PlayResult['result'];
  /** Why the channel cannot be played. */
  readonly message: string | null;
  /** Path of the playlist; empty if the channel cannot be played. */
  readonly address: string;
  /** What airs within `validSeconds`, and the program after it, in the order of time; without breaks. */
  readonly programs: readonly ShownProgram[];
}

export interface ShownCast extends PlayedCastChannel {
  readonly status: CastStatus;
}

type Reading = Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'language'>;

/** What viewers see is older than what airs by the delay of the channel, and by this at most: the list, and what is buffered. */
const behindSeconds = 60;
const maxValidSeconds = 120;

/** The state of a channel for a viewer without a login. Throws NotFoundError if there is no such channel. */
export async function castStatus({ ctx, language }: Reading, channelId: string): Promise<ShownCast> {
  const shown = await playCastChannel(ctx, channelId, { viewerCode: null, language });
  const { result, uniqueStreamer, message } = shown.result;
  const now = (await ctx.databaseTime.now(ctx)) / 1000;
  const delaySeconds = ctx.config.limit(castDelaySeconds);
  const validSeconds = Math.min(ctx.config.cast.freezeSeconds, maxValidSeconds);
  const programs = await comingPrograms(ctx, {
    channelId: shown.played.id,
    from: new Date(now - (delaySeconds + behindSeconds) * 1000),
    until: new Date(now + validSeconds * 1000),
  });
  const status: CastStatus = {
    title: shown.played.name,
    now,
    validSeconds,
    result,
    message: result === 'PLAY' ? null : (message ?? ctx.translate(language, `embed.${result}`)),
    address: pathOf(ctx, uniqueStreamer),
    programs: programs.map(({ title, startsAt, endsAt }) => ({
      title,
      startsAt: startsAt.getTime(),
      endsAt: endsAt.getTime(),
    })),
  };
  return { ...shown, status };
}
