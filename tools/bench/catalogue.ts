import { randomUUID } from 'node:crypto';
import type { Context } from '../../shared/platform/context.js';

/** Inserts a user who owns the rows of a figure and never logs in. Resolves with the id. */
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

/** Some words are far more frequent than others, as in any language. `row` makes PostgreSQL compute the words for each row. */
const words = (count: number): string =>
  `ARRAY(SELECT 'word' || floor(4000 * random() ^ 3) FROM generate_series(1, ${count}) WHERE row > 0)`;

/**
 * Inserts rows of published items of one user, without media files and without dirty marks for the search. Resolves with their ids.
 */
export async function fillCatalogue(ctx: Context, ownerId: string, count: number): Promise<string[]> {
  await ctx.db.change(
    `WITH content AS (
       INSERT INTO contents (id, folder, owner_id, state, source_key, source_name, source_bytes, ready_generation, duration_ms,
                             width, height, has_video, has_audio, created_at, ready_at, updated_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $ownerId::uuid, 'READY', 'sources/none/original', 'none.mp4', 1, 1, 60000,
              1920, 1080, true, true, $now::timestamptz, $now, $now FROM generate_series(1, $count::int)
       RETURNING id
     ), item AS (
       INSERT INTO box_items (id, owner_id, content_id, source, title, description, tags, created_at, updated_at)
       SELECT gen_random_uuid(), $ownerId, id, 'UPLOAD', array_to_string(${words(4)}, ' '), array_to_string(${words(20)}, ' '),
              ${words(3)}, $now, $now FROM (SELECT id, row_number() OVER () AS row FROM content) AS numbered
       RETURNING id
     )
     INSERT INTO vod_items (id, owner_id, box_item_id, license_type, published_at, updated_at)
     SELECT gen_random_uuid(), $ownerId, id, 'FREE', $now, $now FROM item`,
    { ownerId, count, now: ctx.clock.now() },
  );
  await ctx.db.rows('ANALYZE');
  const items = await ctx.db.rows<{ id: string }>('SELECT id FROM vod_items');
  return items.map(({ id }) => id);
}
