import { createHash, randomBytes } from 'node:crypto';

/*
 * Storage keys of the files of a content. Everything that plays is in the folder of its generation, which a grant opens.
 * Intermediate files are beside it, where no grant reaches them.
 */

/** What names the folder of a content's files. */
export interface StoredContent {
  readonly id: string;
  /** With a random part: `newFolder`. */
  readonly folder: string;
}

/**
 * A name for the folder of a content. A client can choose the id of a content, so the name ends with 128 random bits: it
 * cannot be chosen or guessed, and no other content can ever have the same.
 */
export function newFolder(contentId: string): string {
  return `${contentId}-${randomBytes(16).toString('hex')}`;
}

export function contentFolder({ folder }: StoredContent): string {
  return `content/${folder}`;
}

/** The id of the content that a key below `content/` belongs to: a folder begins with it. */
export function contentIdOfKey(key: string): string {
  return /^content\/([^/]{36})[^/]*\//.exec(key)?.[1] ?? '';
}

/** Everything that a full grant opens. */
export function generationFolder(content: StoredContent, generation: number): string {
  return `${contentFolder(content)}/g${generation}`;
}

/** Everything that a preview grant opens. */
export function previewFolder(content: StoredContent, generation: number): string {
  return `${generationFolder(content, generation)}/preview`;
}

/**
 * Intermediate files for the chunk jobs, of this generation and of the full one that follows a quick one; removed when no generation is
 * processed any more. The name is part of stored plans.
 */
export function processingFolder(content: StoredContent, generation: number): string {
  return `${contentFolder(content)}/making-g${generation}`;
}

/** Whether a path below the folder of a content is that of an intermediate file. */
export function isIntermediatePath(path: string): boolean {
  return path.startsWith('making-g');
}

/** The generation that a path below the folder of a content belongs to. Null: none, so nothing needs the file. */
export function generationOfPath(path: string): number | null {
  const [, generation] = /^(?:making-)?g(\d{1,9})\//.exec(path) ?? [];
  return generation === undefined ? null : Number(generation);
}

/** Folder of one attempt at one chunk, relative to the folder of the generation or of its preview. */
export function attemptFolder(chunk: number, attempt: number): string {
  return `c${chunk}-a${attempt}`;
}

/**
 * The same for what an attempt of ingestion has copied, with its initialisation segments. Another name: the chunks of a generation
 * whose copy was given up are encoded, while a worker that has lost its lease may still copy.
 */
export function copiedFolder(chunk: number, attempt: number): string {
  return `copy${chunk}-a${attempt}`;
}

const chunkPattern = /^(?:c|copy)(\d{1,9})-a\d{1,9}\/|^init\//;

/**
 * The chunk whose row knows a file, by its path in the folder of the generation. Of the initialisation segments of all chunks: the first
 * one. Null: another file.
 */
export function chunkOfPath(path: string): number | null {
  const found = chunkPattern.exec(path);
  return found && Number(found[1] ?? 0);
}

/** File name of a segment, in the folder of its rendition. */
export function segmentName(segment: number): string {
  return `${String(segment).padStart(5, '0')}.m4s`;
}

/** File name of the segment in which a preview ends, in the folder of its rendition. */
export const tailName = 'tail.m4s';

/**
 * Path of the initialisation segment of all chunks of a rendition, relative to the folder of the generation or of its preview. It is
 * derived from the bytes: storing it twice changes nothing.
 */
export function initName(rendition: string, init: Buffer): string {
  return `init/${rendition}-${createHash('sha256').update(init).digest('hex').slice(0, 16)}.mp4`;
}

/**
 * The attempt of ingestion that has made a file, by its path in the folder of the generation: what it has copied, and the complete
 * lists. Null: another file.
 */
export function copyAttemptOfPath(path: string): number | null {
  const [, ofFolder, ofList] = /^(?:preview\/)?(?:copy\d+-a(\d+)\/|[^/]+-a(\d+)\.m3u8$)/.exec(path) ?? [];
  const attempt = ofFolder ?? ofList;
  return attempt === undefined ? null : Number(attempt);
}

/** Names of what is written when it is asked for, in the folder of a generation: tracks of pictures over the seek bar and of chapters. */
export const storyboardTrackName = 'storyboard.vtt';
export const chapterTrackName = 'chapters.vtt';
/** The folder of the sheets of a storyboard, as it is named in addresses. */
export const sheetsPath = 'storyboard/';

const storyboardStart = 'storyboard-';

/** A name for the folder of the sheets of a storyboard, beside the generations: it stays when another generation plays. */
export function newStoryboardFolder(): string {
  return `${storyboardStart}${randomBytes(8).toString('hex')}`;
}

/** The folder of a storyboard that a path below the folder of a content belongs to. Null: another file. */
export function storyboardOfPath(path: string): string | null {
  const [first = ''] = path.split('/');
  return first.startsWith(storyboardStart) ? first : null;
}

/**
 * What a list is of. `complete`: a READY generation. `growing`: what is stored of one that is still made. `grown`: all of it, for
 * those who have begun to watch it before it was READY.
 */
export type PlaylistState = 'complete' | 'growing' | 'grown';

/** A list of a generation that is encoded, or that this attempt of ingestion has copied. */
export interface PlaylistKind {
  readonly state: PlaylistState;
  readonly attempt?: number | null;
}

/** Of the names of all complete media playlists, as a regular expression. */
export const playlistPathPattern = String.raw`\d{1,4}p(?:-a\d{1,9})?\.m3u8`;
const masterPattern = /\/master(?:-a\d{1,9})?\.m3u8$/;

/** Whether a key is that of the master playlist of a READY generation, or of its preview. */
export function isMasterPlaylist(key: string): boolean {
  return masterPattern.test(key);
}

const mediaPlaylistPattern = /\/(?:\d{1,4}p|(?:audio|surround)-\d)(?:-a\d{1,9}|-growing)?\.m3u8$/;

/** Whether a key is that of a playlist with segments, complete or growing. */
export function isMediaPlaylist(key: string): boolean {
  return mediaPlaylistPattern.test(key);
}

const growingEnd = 'growing.m3u8';

/**
 * Several attempts may copy a generation at the same time, as each but one has lost its lease. So a complete list has the number of
 * its attempt in its name, and the row says which attempt has made what plays. Those who watch a growing list keep its address.
 */
function endOf({ state, attempt = null }: PlaylistKind): string {
  if (state !== 'complete') return `-${growingEnd}`;
  return attempt === null ? '.m3u8' : `-a${attempt}.m3u8`;
}

export function masterName(kind: PlaylistKind): string {
  return kind.state === 'complete' ? `master${endOf(kind)}` : growingEnd;
}

/** The media playlist of a rendition. */
export function playlistName(rendition: string, kind: PlaylistKind): string {
  return `${rendition}${endOf(kind)}`;
}

/** Whether the file of a playlist may change. */
export function isGrowingPlaylist(key: string): boolean {
  return key.endsWith(growingEnd);
}
