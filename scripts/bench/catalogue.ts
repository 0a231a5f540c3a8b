import { randomUUID } from 'node:crypto';
import type { Context } from '../../shared/platform/context.js';

/** Titles are built from these: enough different words that no word is in every document. */
const syllables = ['ba', 'co', 'di', 'fe', 'go', 'hu', 'ka', 'le', 'mi', 'no', 'pa', 'qui', 'ro', 'se', 'tu', 'va'];
const rowsAtOnce = 10_000;

/** The same numbers in every run, so that all measurements use the same catalogue. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    // A linear congruential generator (Numerical Recipes): good enough for titles.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A text of `count` words. As in any language, some words are far more frequent than others. */
function words(random: () => number, count: number): string {
  const one = (): string => {
    const number = Math.floor(4_000 * random() ** 3);
    return `${syllables[number % 16]}${syllables[(number >> 4) % 16]}${syllables[(number >> 8) % 16]}`;
  };
  return Array.from({ length: count }, one).join(' ');
}

/** Inserts a user who owns the catalogue and never logs in. Resolves with the id. */
export async function insertOwner(ctx: Context): Promise<string> {
  const id = randomUUID();
  await ctx.db.change(
    `INSERT INTO users (id, user_code, password_hash, state, language, email, first_name, last_name, birth_date,
                        last_activity_at, created_at, updated_at)
     VALUES ($id, 'owner', '', 'ACTIVE', 'en', 'owner@example.org', 'An', 'Owner', '1990-01-01', $now, $now, $now)`,
    { id, now: ctx.clock.now() },
  );
  return id;
}

/**
 * Inserts published items of one user as rows, without media files and without marking them dirty for search. Resolves
 * with their ids.
 */
export async function fillCatalogue(ctx: Context, ownerId: string, count: number): Promise<string[]> {
  const random = createRandom(20_010);
  const ids: string[] = [];
  while (ids.length < count) {
    const rows = Array.from({ length: Math.min(rowsAtOnce, count - ids.length) }, () => ({
      vodId: randomUUID(),
      boxId: randomUUID(),
      contentId: randomUUID(),
      title: words(random, 4),
      description: words(random, 20),
      tags: words(random, 3).split(' '),
    }));
    await insertRows(ctx, ownerId, rows);
    ids.push(...rows.map(({ vodId }) => vodId));
  }
  await ctx.db.rows('ANALYZE');
  return ids;
}

async function insertRows(ctx: Context, ownerId: string, rows: readonly object[]): Promise<void> {
  const bind = { ownerId, now: ctx.clock.now(), rows: JSON.stringify(rows) };
  const source = `json_to_recordset($rows::json) AS item
    ("vodId" uuid, "boxId" uuid, "contentId" uuid, title text, description text, tags text[])`;
  await ctx.db.transaction(async (tx) => {
    await ctx.db.change(
      `INSERT INTO contents (id, folder, owner_id, state, source_key, source_name, source_bytes, ready_generation, duration_ms,
                             width, height, has_video, has_audio, created_at, ready_at, updated_at)
       SELECT "contentId", "contentId", $ownerId::uuid, 'READY', 'sources/none/original', 'none.mp4', 1, 1, 60000,
              1920, 1080, true, true, $now::timestamptz, $now, $now FROM ${source}`,
      bind,
      tx,
    );
    await ctx.db.change(
      `INSERT INTO box_items (id, owner_id, content_id, source, title, description, tags, created_at, updated_at)
       SELECT "boxId", $ownerId::uuid, "contentId", 'UPLOAD', title, description, tags, $now::timestamptz, $now FROM ${source}`,
      bind,
      tx,
    );
    await ctx.db.change(
      `INSERT INTO vod_items (id, owner_id, box_item_id, license_type, published_at, updated_at)
       SELECT "vodId", $ownerId::uuid, "boxId", 'FREE', $now::timestamptz, $now FROM ${source}`,
      bind,
      tx,
    );
  });
}
