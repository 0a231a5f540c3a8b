import { column, defineModel, type RowOf } from '../platform/database/model.js';
import type { Cue } from './cue.js';

/** `captions` are for who cannot hear: they also say which sounds there are. `subtitles` are for who does not know the language. */
export const captionKinds = ['captions', 'subtitles'] as const;
export type CaptionKind = (typeof captionKinds)[number];

/** Uploaded by the owner, a stream of the source, or made by a program that listens. */
export type CaptionOrigin = 'OWNER' | 'SOURCE' | 'AUTOMATIC';

/** The captions of a content in one language. A content never has two with the same label: players list them by it. */
export const Caption = defineModel('captions', {
  id: column.uuid().primaryKey(),
  contentId: column.uuid(),
  origin: column.text<CaptionOrigin>(),
  /** Of the source: the index of the stream; -1 to -4: a channel of closed captions in its video. Null: another origin. */
  stream: column.integer().nullable(),
  /** BCP 47; `und`: not known. */
  language: column.text(),
  label: column.text(),
  kind: column.text<CaptionKind>(),
  /** The captions translate only passages that are not in the language of the audio. Players show them automatically. */
  forced: column.boolean().withDefault(),
  /** Players show these captions to viewers who have not chosen any. At most one of a content. */
  shownByDefault: column.boolean().withDefault(),
  /** In the order of their times. */
  cues: column.json<readonly Cue[]>(),
  /** Number of cues of the file that could not be shown. */
  leftOutCues: column.integer().withDefault(),
  /** Every word once, for the search. */
  words: column.text(),
  /** As a WebVTT file; counts as stored. */
  bytes: column.bigint(),
  createdAt: column.timestamp(),
  updatedAt: column.timestamp(),
});
export type Caption = RowOf<typeof Caption>;

/** Captions without what they say. */
export type CaptionDetails = Pick<
  Caption,
  'id' | 'contentId' | 'origin' | 'language' | 'label' | 'kind' | 'forced' | 'shownByDefault' | 'leftOutCues'
>;
