import type { MessageValues } from '../platform/i18n.js';

/** Reason why subtitles of a source were omitted, with the message `content.subtitlesLeftOut.<reason>`. */
export type LeftOutReason = 'tooLarge' | 'tooManyCues' | 'tooLongText' | 'tooMany' | 'unreadable' | 'digital';

export interface LeftOutSubtitles {
  /** The title of the stream, or the name of its language in that language. */
  readonly label: string;
  readonly reason: LeftOutReason;
  /** Number of omitted cues, if only some are unreadable or cannot be shown by players. */
  readonly cues?: number;
}

/** A longer list is truncated in the message. */
const maxNamed = 10;

/** The message about omitted subtitles for the owner. */
export function leftOutMessage(
  leftOut: readonly LeftOutSubtitles[],
  translate: (key: string, values?: MessageValues) => string,
): string {
  const omitted = leftOut.filter(({ cues }) => cues === undefined);
  const partlyOmitted = leftOut.filter(({ cues }) => cues !== undefined);
  const reasonOf = ({ reason }: LeftOutSubtitles) => translate(`content.subtitlesLeftOut.${reason}`);
  const messages = [
    ...(omitted.length === 0 ? [] : [translate('content.subtitlesLeftOut', { list: listOf(omitted, reasonOf) })]),
    ...(partlyOmitted.length === 0
      ? []
      : [translate('content.cuesLeftOut', { list: listOf(partlyOmitted, ({ cues = 0 }) => String(cues)) })]),
  ];
  return messages.join(' ');
}

function listOf(leftOut: readonly LeftOutSubtitles[], detailOf: (one: LeftOutSubtitles) => string): string {
  const named = leftOut.slice(0, maxNamed).map((one) => `${one.label} (${detailOf(one)})`);
  return [...named, ...(leftOut.length > maxNamed ? ['…'] : [])].join(', ');
}
