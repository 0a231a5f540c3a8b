/** A statement that reads more rows in a larger deployment, and may. */
export interface Exception {
  /** Where it is run. */
  readonly file: string;
  /** A part of its text. */
  readonly text: string;
  readonly reason: string;
  /** Needed where the smaller deployment is one of 10,000 contents: the run on a tenth. */
  readonly inTenth?: true;
}

export const exceptions: readonly Exception[] = [
  {
    file: 'shared/cast/airing.queries.ts',
    text: "source ->> 'contentId' =",
    reason:
      'the airings of one content; of a member of jsonb, PostgreSQL takes one value for one row of 40,000, whatever it is',
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
    reason: 'the live streams that channels show at this moment, all of them',
  },
  {
    file: 'shared/live/recording.lifecycle.ts',
    text: 'ORDER BY updated_at LIMIT',
    reason:
      'up to 500 recordings of events that are over; PostgreSQL does not know that nearly all of them are copied, and expects a part of all unfinished ones',
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
    reason: 'once a night, the documents of 500 words, which are more where there are more documents',
  },
  {
    file: 'shared/platform/search/postgres/searchDocuments.ts',
    text: 'words @@',
    reason:
      'the hits of words are more where there are more documents; a search ends after its time (docs/decisions/search.md)',
  },
  {
    file: 'shared/platform/search/postgres/similarWords.ts',
    text: 'FROM search_typo_keys',
    reason: 'for each of some keys a bounded number of words, which a small vocabulary does not have',
  },
  {
    file: 'shared/streaming/liveScope.ts',
    text: 'FROM live_recordings',
    reason: 'the recordings of events that are on air or being copied, all of them',
  },
  {
    file: 'shared/streaming/liveTimeline.ts',
    text: 'AS open_session_id',
    reason:
      'the segments of a stream that viewers can see; a small table has fewer pages than these rows, and each is read once. A page for each row is the most',
    inTenth: true,
  },
  {
    file: 'shared/streaming/reportedRun.lifecycle.ts',
    text: 'WHERE state = $1 AND source = $2',
    reason: 'the streams that external servers report at this moment, all of them, by one process every three seconds',
  },
  {
    file: 'shared/streaming/runSweep.service.ts',
    text: 'WHERE session.stream_id =',
    reason: 'all segments of one stream that was deleted; a stream has no more of them in a large deployment',
  },
];
