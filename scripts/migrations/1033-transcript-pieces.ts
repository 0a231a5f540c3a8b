import type { Migration } from './migration.js';

/** Pieces that a server has already transcribed: another attempt continues after them. */
export const transcriptPieces: Migration = {
  name: '1033-transcript-pieces',
  up: `
    CREATE TABLE transcript_pieces (
      content_id uuid NOT NULL REFERENCES contents (id) ON DELETE CASCADE,
      piece integer NOT NULL,
      piece_seconds integer NOT NULL,
      language text NOT NULL,
      cues jsonb NOT NULL,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (content_id, piece)
    );
  `,
};
