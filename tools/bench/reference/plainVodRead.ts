/*
 * The reference for `GET /api/vod/{id}`: the same indexed read through Express and pg, as a prepared statement, without token, checks, log and
 * metrics. Settings: PORT, DATABASE_URL, DATABASE_POOL_SIZE, OWNER_ID.
 */
import express from 'express';
import pg from 'pg';
import { withErrorListener } from '../../../shared/platform/errorListener.js';

const { PORT, DATABASE_URL, DATABASE_POOL_SIZE, OWNER_ID } = process.env;
const pool = withErrorListener(new pg.Pool({ connectionString: DATABASE_URL, max: Number(DATABASE_POOL_SIZE) }));
const statement = `
  SELECT vod.id, vod.owner_id AS "ownerId", vod.box_item_id AS "boxItemId", vod.license_type AS "licenseType",
         vod.cc_type AS "ccType", vod.public, vod.published_at AS "publishedAt",
         least(vod.expires_at, box.expires_at) AS "expiresAt", box.title, box.description, box.tags,
         coalesce(box.thumbnail_id, content.thumbnail_id) AS "thumbnailId", content.id AS "contentId",
         content.state AS "contentState", content.ready_generation AS "readyGeneration", content.duration_ms AS "durationMs"
    FROM vod_items vod
    JOIN box_items box ON box.id = vod.box_item_id
    JOIN contents content ON content.id = box.content_id
   WHERE vod.id = $1 AND vod.owner_id = $2`;

const app = express();
// oxlint-disable-next-line oxc/no-async-endpoint-handlers -- Express 5 passes rejections on
app.get('/api/vod/:id', async (request, response) => {
  const { rows } = await pool.query({ name: 'vod', text: statement, values: [request.params.id, OWNER_ID] });
  if (rows.length === 0) response.status(404).end();
  else response.json(rows[0]);
});
app.listen(Number(PORT), '127.0.0.1', () => process.send?.('ready'));
