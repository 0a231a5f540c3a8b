import { createHash, randomBytes } from 'node:crypto';

/*
 * Storage keys of the files of a content. Playable files are in the folder of their generation, which a grant opens.
 * Intermediate files are in a sibling folder, which no grant opens.
 */

/** The columns that name the folder of a content. */
export interface StoredContent {
  readonly id: string;
  /** Name with a random part: `newFolder`. */
  readonly folder: string;
}

/**
 * A new folder name for a content. Clients can choose content ids, so the name ends with 128 random bits: it cannot be chosen
 * or guessed, and is never reused.
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

/** Folder of all files that a full grant opens. */
export function generationFolder(content: StoredContent, generation: number): string {
  return `${contentFolder(content)}/g${generation}`;
}

/** Folder of all files that a preview grant opens. */
export function previewFolder(content: StoredContent, generation: number): string {
  return `${generationFolder(content, generation)}/preview`;
}

/**
 * Folder of intermediate files for the chunk jobs of this generation, and of the full one after a quick one; removed when
 * processing has ended. The name is part of stored plans.
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
 * Like `attemptFolder`, for files that an ingestion attempt has copied, including initialisation segments. The prefix differs
 * because the chunks of an abandoned copy are encoded while a worker that has lost its lease may still copy.
 */
export function copiedFolder(chunk: number, attempt: number): string {
  return `copy${chunk}-a${attempt}`;
}

const chunkPattern = /^(?:c|copy)(\d{1,9})-a\d{1,9}\/|^init\//;

/**
 * The position of the chunk whose row contains a file's size, by the file's path in the generation's folder; 0 for initialisation
 * segments, which all chunks share. Null: another file.
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
 * Path of a rendition's initialisation segment, relative to the folder of the generation or preview. It is derived from the bytes:
 * storing it twice is idempotent.
 */
export function initName(rendition: string, init: Buffer): string {
  return `init/${rendition}-${createHash('sha256').update(init).digest('hex').slice(0, 16)}.mp4`;
}

/**
 * The ingestion attempt that has copied a segment or written a complete playlist, by its path in the generation's folder. Null:
 * another file.
 */
export function copyAttemptOfPath(path: string): number | null {
  const [, ofFolder, ofList] = /^(?:preview\/)?(?:copy\d+-a(\d+)\/|[^/]+-a(\d+)\.m3u8$)/.exec(path) ?? [];
  const attempt = ofFolder ?? ofList;
  return attempt === undefined ? null : Number(attempt);
}

/** Names of tracks in a generation's folder that are generated at request time. */
export const storyboardTrackName = 'storyboard.vtt';
export const chapterTrackName = 'chapters.vtt';
/** The folder of storyboard sheets in addresses. */
export const sheetsPath = 'storyboard/';

const storyboardStart = 'storyboard-';

/** A new folder name for storyboard sheets. The folder is outside the generations, because it outlives them. */
export function newStoryboardFolder(): string {
  return `${storyboardStart}${randomBytes(8).toString('hex')}`;
}

/** The folder of a storyboard that a path below the folder of a content belongs to. Null: another file. */
export function storyboardOfPath(path: string): string | null {
  const [first = ''] = path.split('/');
  return first.startsWith(storyboardStart) ? first : null;
}

/**
 * State of a playlist's generation. `complete`: READY. `growing`: the stored part of an incomplete generation. `grown`: all
 * segments, for viewers who started before it was READY.
 */
export type PlaylistState = 'complete' | 'growing' | 'grown';

/** A playlist of an encoded generation, or of a generation that the ingestion attempt `attempt` has copied. */
export interface PlaylistKind {
  readonly state: PlaylistState;
  readonly attempt?: number | null;
}

/** Regular expression of the names of complete media playlists of video. */
export const playlistPathPattern = String.raw`\d{1,4}p(?:-a\d{1,9})?\.m3u8`;
const masterPattern = /\/master(?:-a\d{1,9})?\.m3u8$/;

/** Whether a key names the master playlist of a READY generation or its preview. */
export function isMasterPlaylist(key: string): boolean {
  return masterPattern.test(key);
}

const mediaPlaylistPattern = /\/(?:\d{1,4}p|(?:audio|surround)-\d)(?:-a\d{1,9}|-growing)?\.m3u8$/;

/** Whether a key names a media playlist, complete or growing. */
export function isMediaPlaylist(key: string): boolean {
  return mediaPlaylistPattern.test(key);
}

const growingEnd = 'growing.m3u8';

/**
 * Several attempts may copy a generation at the same time, although only one holds the lease. The name of a complete playlist
 * therefore contains its attempt, and the row stores the attempt that plays. Viewers of a growing playlist keep its address.
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
