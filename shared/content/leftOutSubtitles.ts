import type { MessageValues } from '../platform/i18n.js';

/** Why subtitles of a source became no captions: a message `content.subtitlesLeftOut.<reason>`. */
export type LeftOutReason = 'tooLarge' | 'tooManyCues' | 'tooLongText' | 'tooMany' | 'unreadable';

export interface LeftOutSubtitles {
  /** The title of the stream, or the name of its language in that language. */
  readonly label: string;
  readonly reason: LeftOutReason;
}

/** Of a longer list, the owner reads the beginning. */
const maxNamed = 10;

/** What the owner reads about it. */
export function leftOutMessage(
  leftOut: readonly LeftOutSubtitles[],
  translate: (key: string, values?: MessageValues) => string,
): string {
  const named = leftOut
    .slice(0, maxNamed)
    .map(({ label, reason }) => `${label} (${translate(`content.subtitlesLeftOut.${reason}`)})`);
  const list = [...named, ...(leftOut.length > maxNamed ? ['…'] : [])].join(', ');
  return translate('content.subtitlesLeftOut', { list });
}
