import type { CaptionPair } from './captionPairs.js';

/** The channels of CEA-608, as playlists name them (`INSTREAM-ID`): the first two are in field 1. */
export const captionChannels = ['CC1', 'CC2', 'CC3', 'CC4'] as const;
export type CaptionChannel = (typeof captionChannels)[number];

/** Commands of the caption service, or of the text service of the same channel (CEA-608, table 51). */
export const captionCommands = {
  popOn: 0x20,
  backspace: 0x21,
  eraseToEnd: 0x24,
  rollUp2: 0x25,
  rollUp4: 0x27,
  paintOn: 0x29,
  text: 0x2a,
  textAgain: 0x2b,
  eraseShown: 0x2c,
  carriageReturn: 0x2d,
  eraseHidden: 0x2e,
  flip: 0x2f,
} as const;

const { popOn, rollUp2, rollUp4, paintOn, text, textAgain, flip } = captionCommands;
const captionStarts: readonly number[] = [popOn, rollUp2, rollUp2 + 1, rollUp4, paintOn, flip];
const textStarts: readonly number[] = [text, textAgain];

/** Whether a pair is a miscellaneous command, sent with 0x14 in field 1 and 0x15 in field 2. `first`: without the channel bit. */
export function isMiscellaneous(first: number, second: number): boolean {
  return (first === 0x14 || first === 0x15) && second >= 0x20 && second <= 0x2f;
}

/** Whether a pair is a command rather than characters. */
export function isCommand(first: number): boolean {
  return first >= 0x10 && first <= 0x1f;
}

/** The channel of a field to which the next characters belong. */
interface FieldState {
  channel: 0 | 1 | null;
  /** By channel. Null: no command has started a service. */
  readonly services: ('captions' | 'text' | null)[];
}

/** Divides the pairs of one video into channels, in presentation order. */
export class ChannelDivider {
  readonly #fields: Readonly<Record<CaptionPair['field'], FieldState>> = {
    1: { channel: null, services: [null, null] },
    2: { channel: null, services: [null, null] },
  };

  /**
   * The caption channel of a pair. Null if the pair belongs to a text service, to program data, or to a channel that has not
   * started.
   */
  channelOf({ field, first, second }: CaptionPair): CaptionChannel | null {
    const state = this.#fields[field];
    if (isCommand(first)) {
      const channel = first & 0x08 ? 1 : 0;
      state.channel = channel;
      if (isMiscellaneous(first & ~0x08, second)) {
        if (captionStarts.includes(second)) state.services[channel] = 'captions';
        if (textStarts.includes(second)) state.services[channel] = 'text';
      }
    } else if (first < 0x10 && first > 0) state.channel = null;
    const { channel, services } = state;
    if (channel === null || services[channel] !== 'captions') return null;
    return captionChannels[(field - 1) * 2 + channel] ?? null;
  }
}
