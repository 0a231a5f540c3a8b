import { playlistPathPattern } from '../../content/storageKeys.js';

/*
 * Addresses of captions, below the folder that a grant opens: a playlist beside each media playlist, and parts of about half a minute.
 * The address of a part says all that is needed to write it, so parts have no rows and no state.
 *
 *   captions/<caption>/<media playlist>
 *   captions/<caption>/<from>-<to>-<ticks>.vtt
 */

const captionFolder = 'captions';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const playlistPattern = new RegExp(`^(.*/)${captionFolder}/(${uuid})/(${playlistPathPattern})$`);
const partPattern = new RegExp(`^.*/${captionFolder}/(${uuid})/(\\d{1,9})-(\\d{1,9})-(\\d{1,10})\\.vtt$`);

/** A part of captions. */
export interface CaptionPart {
  /** Of the content, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  /** `fromMs` in the times of the media, in ticks of 90 kHz. */
  readonly mpegTicks: number;
}

/** The captions and the key of the media playlist that a key stands for. Null: it is no playlist of captions. */
export function readCaptionPlaylistKey(
  key: string,
): { readonly captionId: string; readonly mediaPlaylistKey: string } | null {
  const [, folder, captionId, name] = playlistPattern.exec(key) ?? [];
  return captionId === undefined ? null : { captionId, mediaPlaylistKey: `${folder}${name}` };
}

export function readCaptionPartKey(key: string): (CaptionPart & { readonly captionId: string }) | null {
  const [, captionId, fromMs, toMs, mpegTicks] = partPattern.exec(key) ?? [];
  if (captionId === undefined) return null;
  return { captionId, fromMs: Number(fromMs), toMs: Number(toMs), mpegTicks: Number(mpegTicks) };
}

/** The playlist of captions, relative to the master playlist. */
export function captionPlaylistPath(captionId: string, mediaPlaylist: string): string {
  return `${captionFolder}/${captionId}/${mediaPlaylist}`;
}

/** Relative to the playlist of the captions. */
export function captionPartName({ fromMs, toMs, mpegTicks }: CaptionPart): string {
  return `${fromMs}-${toMs}-${mpegTicks}.vtt`;
}
