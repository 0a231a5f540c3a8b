import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { Cue } from './cue.js';

/** `captions` are for viewers who cannot hear: they also describe sounds. `subtitles` translate the speech. */
export const captionKinds = ['captions', 'subtitles'] as const;
export type CaptionKind = (typeof captionKinds)[number];

/** `OWNER`: uploaded by the owner. `SOURCE`: a stream of the source file. `AUTOMATIC`: transcribed speech. */
export type CaptionOrigin = 'OWNER' | 'SOURCE' | 'AUTOMATIC';

/**
 * The captions of a content in one language. Labels are unique within a content, because players list captions by
 * label.
 */
export const Caption = defineModel('captions', {
  id: column.uuid().primaryKey(),
  contentId: column.uuid(),
  origin: column.text<CaptionOrigin>(),
  /**
   * With origin `SOURCE`: the stream index, or -1 to -4 for a closed caption channel in the video. Null: another
   * origin.
   */
  stream: column.integer().nullable(),
  /** BCP 47; `und`: unknown. */
  language: column.text(),
  label: column.text(),
  kind: column.text<CaptionKind>(),
  /** The captions translate only passages in another language than the audio. Players show them automatically. */
  forced: column.boolean().withDefault(),
  /** Players show these captions to viewers who have not selected any. True for at most one of a content's captions. */
  shownByDefault: column.boolean().withDefault(),
  /** Ordered by start and end. */
  cues: column.json<readonly Cue[]>(),
  /** Number of cues of the file that could not be shown. */
  leftOutCues: column.integer().withDefault(),
  /** The distinct words, for the search. */
  words: column.text(),
  /** Size as a WebVTT file; counts towards the owner's storage quota. */
  bytes: column.bigint(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type Caption = RowOf<typeof Caption>;

/** Captions without their cues. */
export type CaptionDetails = Pick<
  Caption,
  'id' | 'contentId' | 'origin' | 'language' | 'label' | 'kind' | 'forced' | 'shownByDefault' | 'leftOutCues'
>;
