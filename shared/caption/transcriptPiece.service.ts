import type { Context } from '../platform/context.js';
import type { Cue } from './cue.js';
import { TranscriptPiece } from './transcriptPiece.model.js';

/** A piece of a content: its number, from 0, among pieces of `pieceSeconds`. */
export interface PieceOfContent {
  readonly contentId: string;
  readonly piece: number;
  readonly pieceSeconds: number;
}

export interface TranscribedPiece {
  readonly language: string;
  readonly cues: readonly Cue[];
}

/** A piece that an earlier attempt has transcribed. Null: not transcribed yet. */
export async function transcribedPiece(ctx: Context, where: PieceOfContent): Promise<TranscribedPiece | null> {
  return ctx.db.model(TranscriptPiece).findOne({ where: { ...where }, attributes: ['language', 'cues'] });
}

/** Stores a piece until its content's transcription is complete or has failed. */
export async function storePieceOfContent(
  ctx: Context,
  { contentId, piece, pieceSeconds }: PieceOfContent,
  { language, cues }: TranscribedPiece,
): Promise<void> {
  await ctx.db.change(
    `INSERT INTO transcript_pieces (content_id, piece, piece_seconds, language, cues, created_at)
     SELECT $contentId, $piece, $pieceSeconds, $language, $cues::jsonb, $now
      WHERE EXISTS (SELECT FROM contents WHERE id = $contentId)
     ON CONFLICT (content_id, piece) DO UPDATE
        SET piece_seconds = excluded.piece_seconds, language = excluded.language, cues = excluded.cues,
            created_at = excluded.created_at`,
    { contentId, piece, pieceSeconds, language, cues: JSON.stringify(cues), now: ctx.clock.now() },
  );
}

export async function removePieces(ctx: Context, contentId: string): Promise<void> {
  await ctx.db.model(TranscriptPiece).destroy({ where: { contentId } });
}
