import type { TimestampMap } from '../../caption/vttFile.js';
import { playlistPathPattern } from '../../content/storageKeys.js';

/*
 * Addresses of captions, below the folder that a grant opens: a playlist beside each media playlist, and parts of about half a minute.
 * The address of a part says all that is needed to write it, so parts have no rows and no state.
 *
 *   captions/<caption>/<media playlist>
 *   captions/<caption>/<from>-<to>-<local>-<ticks>.vtt
 */

const captionFolder = 'captions';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const playlistPattern = new RegExp(`^(.*/)${captionFolder}/(${uuid})/(${playlistPathPattern})$`);
const partPattern = new RegExp(`^.*/${captionFolder}/(${uuid})/(\\d{1,9})-(\\d{1,9})-(\\d{1,9})-(\\d{1,10})\\.vtt$`);

/**
 * A part of captions. All parts whose media go on from each other have the same map: a cue that two parts contain then has the same
 * times in both, to the last bit, by which players notice that it is one.
 */
export interface CaptionPart extends TimestampMap {
  /** Of the content, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

const castCaptionsStart = 'captions-';

/** The playlist of the captions of a cast channel in a language, without its extension. */
export function castCaptionsName(language: string): string {
  return castCaptionsStart + language;
}

/** The language of a playlist of a cast channel. Null: it is no playlist of captions. */
export function castCaptionsLanguage(name: string): string | null {
  return name.startsWith(castCaptionsStart) ? name.slice(castCaptionsStart.length) : null;
}

const noCaptionsName = `${captionFolder}/none.vtt`;

/** A part without captions, for what airs without them. */
export function noCaptionsKey(channelId: string): string {
  return `cast/${channelId}/${noCaptionsName}`;
}

export function isNoCaptionsKey(key: string): boolean {
  return key.startsWith('cast/') && key.endsWith(`/${noCaptionsName}`);
}

/** A time of media as WebVTT maps it: in ticks of 90 kHz, of 33 bits (RFC 8216, 3.5). */
export function mpegTicksOf(seconds: number): number {
  return Math.round(seconds * 90_000) % 2 ** 33;
}

/** The captions and the key of the media playlist that a key stands for. Null: it is no playlist of captions. */
export function readCaptionPlaylistKey(
  key: string,
): { readonly captionId: string; readonly mediaPlaylistKey: string } | null {
  const [, folder, captionId, name] = playlistPattern.exec(key) ?? [];
  return captionId === undefined ? null : { captionId, mediaPlaylistKey: `${folder}${name}` };
}

/** A part of these captions. */
export type RequestedCaptionPart = CaptionPart & { readonly captionId: string };

export function readCaptionPartKey(key: string): RequestedCaptionPart | null {
  const [, captionId, fromMs, toMs, localMs, mpegTicks] = partPattern.exec(key) ?? [];
  if (captionId === undefined) return null;
  const map = { localMs: Number(localMs), mpegTicks: Number(mpegTicks) };
  return { captionId, fromMs: Number(fromMs), toMs: Number(toMs), ...map };
}

/** The playlist of captions, relative to the master playlist. */
export function captionPlaylistPath(captionId: string, mediaPlaylist: string): string {
  return `${captionFolder}/${captionId}/${mediaPlaylist}`;
}

/** The key of a part of captions, below the folder of a generation. */
export function captionPartKey(folder: string, captionId: string, part: CaptionPart): string {
  return `${folder}/${captionFolder}/${captionId}/${captionPartName(part)}`;
}

/** Relative to the playlist of the captions. */
export function captionPartName({ fromMs, toMs, localMs, mpegTicks }: CaptionPart): string {
  return `${fromMs}-${toMs}-${localMs}-${mpegTicks}.vtt`;
}
