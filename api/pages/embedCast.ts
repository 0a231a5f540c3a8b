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

/** State of a channel, from which the page's script selects its view (`embed/castState.js`). */
export interface CastStatus {
  /** Name of the channel. */
  readonly title: string;
  /** The server's time, in milliseconds since 1970. */
  readonly now: number;
  /** The programs within this time are frozen. */
  readonly validSeconds: number;
  readonly result: PlayResult['result'];
  /** Why the channel cannot be played. */
  readonly message: string | null;
  /** Path of the playlist; empty if the channel cannot be played. */
  readonly address: string;
  /** The programs within `validSeconds`, and the next one, in chronological order; without breaks. */
  readonly programs: readonly ShownProgram[];
}

export interface ShownCast extends PlayedCastChannel {
  readonly status: CastStatus;
}

type Reading = Pick<RequestOf<unknown, unknown, unknown>, 'ctx' | 'language'>;

/** Maximum delay of viewers in addition to the channel's delay: the length of the playlist, and the buffer. */
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
