import { column, defineModel } from '../platform/database/model.js';
import type { Cue } from './cue.js';

/** The transcript of one piece of a content whose transcription is not finished. */
export const TranscriptPiece = defineModel('transcript_pieces', {
  contentId: column.uuid().primaryKey(),
  /** Its place in the content, from 0. */
  piece: column.integer().primaryKey(),
  pieceSeconds: column.integer(),
  /** As the server names it. */
  language: column.text(),
  /** Their times begin with the piece. */
  cues: column.json<readonly Cue[]>(),
  createdAt: column.timestamp(),
});
