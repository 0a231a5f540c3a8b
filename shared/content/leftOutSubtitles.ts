import type { MessageValues } from '../platform/i18n.js';

/** Why subtitles of a source became no captions: a message `content.subtitlesLeftOut.<reason>`. */
export type LeftOutReason = 'tooLarge' | 'tooManyCues' | 'tooLongText' | 'tooMany' | 'unreadable' | 'digital';

export interface LeftOutSubtitles {
  /** The title of the stream, or the name of its language in that language. */
  readonly label: string;
  readonly reason: LeftOutReason;
  /** Only so many cues were left out: they are unreadable, or players could not show them. */
  readonly cues?: number;
}

/** Of a longer list, the owner reads the beginning. */
const maxNamed = 10;

/** What the owner reads about it. */
export function leftOutMessage(
  leftOut: readonly LeftOutSubtitles[],
  translate: (key: string, values?: MessageValues) => string,
): string {
  const whole = leftOut.filter(({ cues }) => cues === undefined);
  const inPart = leftOut.filter(({ cues }) => cues !== undefined);
  const reasonOf = ({ reason }: LeftOutSubtitles) => translate(`content.subtitlesLeftOut.${reason}`);
  const messages = [
    ...(whole.length === 0 ? [] : [translate('content.subtitlesLeftOut', { list: listOf(whole, reasonOf) })]),
    ...(inPart.length === 0
      ? []
      : [translate('content.cuesLeftOut', { list: listOf(inPart, ({ cues = 0 }) => String(cues)) })]),
  ];
  return messages.join(' ');
}

function listOf(leftOut: readonly LeftOutSubtitles[], detailOf: (one: LeftOutSubtitles) => string): string {
  const named = leftOut.slice(0, maxNamed).map((one) => `${one.label} (${detailOf(one)})`);
  return [...named, ...(leftOut.length > maxNamed ? ['…'] : [])].join(', ');
}
