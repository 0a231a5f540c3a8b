import type { TimestampMap } from '../../caption/vttFile.js';
import { playlistPathPattern } from '../../content/storageKeys.js';

/*
 * Addresses of captions, below the folder that a grant opens: a playlist for each media playlist, and parts of about half a minute.
 * The address of a part contains all parameters for its text, so parts need no rows and no state.
 *
 *   captions/<caption>/<media playlist>
 *   captions/<caption>/<from>-<to>-<local>-<ticks>.vtt
 */

const captionFolder = 'captions';

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const playlistPattern = new RegExp(`^(.*/)${captionFolder}/(${uuid})/(${playlistPathPattern})$`);
const partPattern = new RegExp(`^.*/${captionFolder}/(${uuid})/(\\d{1,9})-(\\d{1,9})-(\\d{1,9})-(\\d{1,10})\\.vtt$`);

/**
 * A part of captions. All parts of continuous media have the same timestamp map: a cue that two parts contain then has identical
 * times in both, so that players recognise it as one cue.
 */
export interface CaptionPart extends TimestampMap {
  /** Times in the content, in milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
}

const castCaptionsStart = 'captions-';

/** File name of a cast channel's caption playlist in a language, without extension. */
export function castCaptionsName(language: string): string {
  return castCaptionsStart + language;
}

/** The language in a cast channel's playlist name. Null: not a caption playlist. */
export function castCaptionsLanguage(name: string): string | null {
  return name.startsWith(castCaptionsStart) ? name.slice(castCaptionsStart.length) : null;
}

const noCaptionsName = `${captionFolder}/none.vtt`;

/** Key of an empty part, for segments without captions. */
export function noCaptionsKey(channelId: string): string {
  return `cast/${channelId}/${noCaptionsName}`;
}

export function isNoCaptionsKey(key: string): boolean {
  return key.startsWith('cast/') && key.endsWith(`/${noCaptionsName}`);
}

/** A media time for `X-TIMESTAMP-MAP`: in 90 kHz ticks, modulo 33 bits (RFC 8216, 3.5). */
export function mpegTicksOf(seconds: number): number {
  return Math.round(seconds * 90_000) % 2 ** 33;
}

/** Parses the key of a caption playlist. Null: not a caption playlist. */
export function readCaptionPlaylistKey(
  key: string,
): { readonly captionId: string; readonly mediaPlaylistKey: string } | null {
  const [, folder, captionId, name] = playlistPattern.exec(key) ?? [];
  return captionId === undefined ? null : { captionId, mediaPlaylistKey: `${folder}${name}` };
}

/** A part and its captions. */
export type RequestedCaptionPart = CaptionPart & { readonly captionId: string };

export function readCaptionPartKey(key: string): RequestedCaptionPart | null {
  const [, captionId, fromMs, toMs, localMs, mpegTicks] = partPattern.exec(key) ?? [];
  if (captionId === undefined) return null;
  const map = { localMs: Number(localMs), mpegTicks: Number(mpegTicks) };
  return { captionId, fromMs: Number(fromMs), toMs: Number(toMs), ...map };
}

/** Path of a caption playlist, relative to the master playlist. */
export function captionPlaylistPath(captionId: string, mediaPlaylist: string): string {
  return `${captionFolder}/${captionId}/${mediaPlaylist}`;
}

/** Key of a caption part, below the folder of a generation. */
export function captionPartKey(folder: string, captionId: string, part: CaptionPart): string {
  return `${folder}/${captionFolder}/${captionId}/${captionPartName(part)}`;
}

/** Path of a caption part, relative to its playlist. */
export function captionPartName({ fromMs, toMs, localMs, mpegTicks }: CaptionPart): string {
  return `${fromMs}-${toMs}-${localMs}-${mpegTicks}.vtt`;
}
