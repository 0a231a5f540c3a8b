/**
 * The containers that are accepted: those that contain their media. Formats that can refer to other files or URLs are not
 * (playlists, concat scripts, image sequences, drawings, subtitles, devices).
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

/** The name for `-f` of a format that ffprobe calls, for example, `mov,mp4,m4a,3gp,3g2,mj2`. Undefined if it is not accepted. */
export function demuxerNamed(formatName: string): string | undefined {
  return formatName.split(',').find((name) => (taken as readonly string[]).includes(name));
}

/** Containers with a reliable index of keyframes. Files in other containers are copied into the last of these first. */
export const seekableDemuxers: readonly string[] = ['mov', 'matroska'];

/** Limits of what a malicious file can make a demuxer or decoder allocate. */
export const demuxerAllocationLimitBytes = 512 * 1024 ** 2;

/** Where ffmpeg reads a source: in a file, or from `rangeServer.ts`. */
export interface MediaSource {
  readonly address: string;
  /** The only protocols that may be used, for `-protocol_whitelist`. */
  readonly protocols: string;
  /** It still arrives: it is read in its order, and nothing is looked for behind its media. */
  readonly isArriving?: true;
}

export function fileSource(path: string): MediaSource {
  return { address: fileAddress(path), protocols: 'file' };
}

/** Options that open a file with this demuxer only, and no other file or URL, whatever the file refers to. */
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

/** How much of a file is read to find all its streams. */
export const sniffingBounds: readonly string[] = ['-probesize', '20000000', '-analyzeduration', '20000000'];

/** Options for finding out the format of a file. */
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
 * Without the first, the demuxer of MP4 goes to the end of the media before it reads any: to find other boxes. Without the second,
 * those of Matroska and FLV look for an index and for the length there.
 */
function arrivingOptions(isArriving: true | undefined): string[] {
  return isArriving ? ['-fflags', '+ignidx', '-seekable', '0'] : [];
}

/** A path as a URL of the only permitted protocol. */
export function fileAddress(path: string): string {
  return `file:${path}`;
}
