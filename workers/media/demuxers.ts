/**
 * The accepted containers: those that contain their media. Formats that can refer to other files or URLs are rejected (playlists,
 * concat scripts, image sequences, drawings, subtitles, devices).
 */
const taken = [
  'mov',
  'matroska',
  'avi',
  'mpegts',
  'mpeg',
  'flv',
  'asf',
  'ogg',
  'rm',
  'mxf',
  'dv',
  'nut',
  'gif',
  'mp3',
  'wav',
  'flac',
  'aac',
  'aiff',
  'caf',
  'amr',
  'w64',
  'ac3',
  'eac3',
  'dts',
  'au',
  'ape',
  'tta',
  'wv',
] as const;

const demuxerWhitelist = taken.join(',');

/** The `-f` name for a format name of ffprobe, such as `mov,mp4,m4a,3gp,3g2,mj2`. Undefined if the format is not accepted. */
export function demuxerNamed(formatName: string): string | undefined {
  return formatName.split(',').find((name) => (taken as readonly string[]).includes(name));
}

/** Containers with a reliable keyframe index. Files in other containers are first copied into the last of these. */
export const seekableDemuxers: readonly string[] = ['mov', 'matroska'];

/** Maximum memory that a malicious file can make a demuxer or decoder allocate. */
export const demuxerAllocationLimitBytes = 512 * 1024 ** 2;

/** The address at which ffmpeg reads a source: a file, or a `rangeServer.ts`. */
export interface MediaSource {
  readonly address: string;
  /** The permitted protocols, for `-protocol_whitelist`. */
  readonly protocols: string;
  /** The source is being uploaded: it is read sequentially, without seeking to boxes after its media. */
  readonly isArriving?: true;
}

export function fileSource(path: string): MediaSource {
  return { address: fileAddress(path), protocols: 'file' };
}

/** Options that open a file with only this demuxer, and no other file or URL to which it refers. */
export function openingOptions(
  demuxer: string,
  { protocols, isArriving }: Pick<MediaSource, 'protocols' | 'isArriving'> = { protocols: 'file' },
): string[] {
  return [
    ...arrivingOptions(isArriving),
    '-max_alloc',
    String(demuxerAllocationLimitBytes),
    '-protocol_whitelist',
    protocols,
    '-format_whitelist',
    demuxer,
    '-f',
    demuxer,
    ...(demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
  ];
}

/** Limits of reading a file to find all its streams. */
export const sniffingBounds: readonly string[] = ['-probesize', '20000000', '-analyzeduration', '20000000'];

/** Options for detecting the format of a file. */
export function sniffingOptions({ protocols, isArriving }: MediaSource): string[] {
  return [
    ...arrivingOptions(isArriving),
    '-max_alloc',
    String(demuxerAllocationLimitBytes),
    '-protocol_whitelist',
    protocols,
    '-format_whitelist',
    demuxerWhitelist,
    ...sniffingBounds,
  ];
}

/**
 * Without `ignidx`, the MP4 demuxer seeks to the end of the media first, to find other boxes. Without `-seekable 0`, the demuxers
 * of Matroska and FLV seek there for an index and the duration.
 */
function arrivingOptions(isArriving: true | undefined): string[] {
  return isArriving ? ['-fflags', '+ignidx', '-seekable', '0'] : [];
}

/** A path as a URL of the only permitted protocol. */
export function fileAddress(path: string): string {
  return `file:${path}`;
}
