import type { Context } from '../platform/context.js';
import { contextPart } from '../platform/contextParts.js';
import { isDatabaseUnreachable } from '../platform/database/databaseErrors.js';
import { RefreshedCache } from '../platform/refreshedCache.js';
import { unknownLanguage } from '../platform/formats/language.js';

/** The master playlist of a channel contains the languages of programs within this many hours. */
const hoursAhead = 24;
const maxLanguages = 40;

/** Languages of a channel's programs. */
export interface CastLanguages {
  readonly captions: readonly string[];
  readonly audio: readonly string[];
}

const knownLanguages = contextPart(() => new RefreshedCache<CastLanguages>({ lifetimeMs: 10_000, maxEntries: 2_000 }));

const none: CastLanguages = { captions: [], audio: [] };

/**
 * The languages of a channel's programs now and within a day, because players read a master playlist only once. If the database is
 * unavailable and nothing is cached, the channel plays without language tracks.
 */
export async function castLanguages(ctx: Context, channelId: string): Promise<CastLanguages> {
  try {
    return (await knownLanguages(ctx).get(channelId, () => readLanguages(ctx, channelId))) ?? none;
  } catch (error) {
    if (!isDatabaseUnreachable(error)) throw error;
    return none;
  }
}

async function readLanguages(ctx: Context, channelId: string): Promise<CastLanguages> {
  const rows = await ctx.db.rows<{ kind: 'captions' | 'audio'; language: string }>(
    `WITH airing AS (
       SELECT DISTINCT box.content_id
         FROM cast_programs program JOIN box_items box ON box.id = program.box_item_id
        WHERE program.channel_id = $channelId AND program.ends_at > $now
          AND program.starts_at < $now::timestamptz + make_interval(hours => $hoursAhead::int))
     (SELECT DISTINCT 'captions' AS kind, caption.language
        FROM airing JOIN captions caption USING (content_id) WHERE NOT caption.forced ORDER BY caption.language LIMIT $maxLanguages::int)
     UNION ALL
     (SELECT DISTINCT 'audio' AS kind, track ->> 'language' AS language
        FROM airing JOIN contents ON contents.id = airing.content_id, jsonb_array_elements(contents.audio_tracks) track
       WHERE (track ->> 'isOffered')::boolean AND track ->> 'language' <> $unknownLanguage
       ORDER BY language LIMIT $maxLanguages::int)`,
    { channelId, now: ctx.clock.now(), hoursAhead, maxLanguages, unknownLanguage },
  );
  const of = (kind: 'captions' | 'audio'): string[] =>
    rows.filter((row) => row.kind === kind).map(({ language }) => language);
  const audio = of('audio');
  // A single audio language needs no selection.
  return { captions: of('captions'), audio: audio.length > 1 ? audio : [] };
}
