/** A statement that may read more rows in a larger deployment. */
export interface Exception {
  /** The file that runs it. */
  readonly file: string;
  /** A part of its text. */
  readonly text: string;
  readonly reason: string;
  /** Needed only with `--tenth`: the smaller deployment has 10,000 contents. */
  readonly inTenth?: true;
}

export const exceptions: readonly Exception[] = [
  {
    file: 'shared/cast/airing.queries.ts',
    text: "source ->> 'contentId' =",
    reason:
      'the airings of one content; PostgreSQL estimates every value of a jsonb member at a fixed share of the rows',
  },
  {
    file: 'shared/cast/guide/guide.service.ts',
    text: 'FROM cast_channels channel JOIN users owner',
    reason: 'a guide lists up to 2,000 channels, which a small deployment does not have',
    inTenth: true,
  },
  {
    file: 'shared/cast/streamScope.queries.ts',
    text: "airing.source ->> 'kind' = 'LIVE'",
    reason: 'all live streams that channels show at present',
  },
  {
    file: 'shared/live/recording.lifecycle.ts',
    text: 'ORDER BY updated_at LIMIT',
    reason:
      'up to 500 recordings of past events; PostgreSQL does not know that nearly all of them are copied, and expects a share of all unfinished ones',
  },
  {
    file: 'shared/platform/search/postgres/postgresEngine.ts',
    text: 'ORDER BY id FOR UPDATE',
    reason: 'ten documents by their ids; the index of a hundred documents is one page',
    inTenth: true,
  },
  {
    file: 'shared/platform/search/postgres/pruneVocabulary.ts',
    text: 'words @@',
    reason: 'once a night, the documents with 500 words; their number grows with the documents',
  },
  {
    file: 'shared/platform/search/postgres/searchDocuments.ts',
    text: 'words @@',
    reason: 'the number of hits grows with the documents; a search has a time limit (docs/decisions/search.md)',
  },
  {
    file: 'shared/platform/search/postgres/similarWords.ts',
    text: 'FROM search_typo_keys',
    reason: 'a bounded number of words for each key, which a small vocabulary does not contain',
  },
  {
    file: 'shared/streaming/liveScope.ts',
    text: 'FROM live_recordings',
    reason: 'all recordings of events that are on air or being copied',
  },
  {
    file: 'shared/streaming/liveTimeline.ts',
    text: 'AS open_session_id',
    reason:
      'the segments of a stream that viewers can see; a small table has fewer pages than these rows, and each page is read once. The maximum is one page per row',
    inTenth: true,
  },
  {
    file: 'shared/streaming/reportedRun.lifecycle.ts',
    text: 'WHERE state = $1 AND source = $2',
    reason: 'all streams that external servers report at present, read by one process every three seconds',
  },
  {
    file: 'shared/streaming/runSweep.service.ts',
    text: 'WHERE session.stream_id =',
    reason: 'all segments of one deleted stream; their number does not depend on the size of the deployment',
  },
];
