import { column, defineModel } from '../platform/database/model.js';
import type { Cue } from './cue.js';

/** A transcribed piece of a content, stored until its transcription ends. */
export const TranscriptPiece = defineModel('transcript_pieces', {
  contentId: column.uuid().primaryKey(),
  /** Number of the piece in the content, from 0. */
  piece: column.integer().primaryKey(),
  pieceSeconds: column.integer(),
  /** As the server reports it. */
  language: column.text(),
  /** Times are relative to the start of the piece. */
  cues: column.json<readonly Cue[]>(),
  createdAt: column.timestamp(),
});
