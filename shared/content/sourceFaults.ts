import type { Content } from './content.model.js';

/** The reason of failed processing, and the parts of the source that were omitted. The owner sees a message about each. */
export type SourceFaults = Pick<
  Content,
  'failureKey' | 'missingEndSeconds' | 'leftOutAudio' | 'leftOutSubtitles' | 'leftOutChapters'
>;

/** SQL: the columns of `SourceFaults`, for an alias of `contents`. */
export function sourceFaultColumns(alias: string): string {
  return `${alias}.failure_key, ${alias}.missing_end_seconds, ${alias}.left_out_audio, ${alias}.left_out_subtitles,
          ${alias}.left_out_chapters`;
}

/** Divides a row into its faults and its other columns. */
export function separateFaults<Row extends SourceFaults>(row: Row) {
  const { failureKey, missingEndSeconds, leftOutAudio, leftOutSubtitles, leftOutChapters, ...others } = row;
  return { faults: { failureKey, missingEndSeconds, leftOutAudio, leftOutSubtitles, leftOutChapters }, others };
}
