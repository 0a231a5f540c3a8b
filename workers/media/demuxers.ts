/**
 * The containers that are taken: those that hold their media themselves. Left out is whatever can name other files or
 * addresses (playlists, concat scripts, image sequences, drawings, subtitles, devices), and what is no recording.
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

/** The name to give to `-f` for what ffprobe calls `mov,mp4,m4a,3gp,3g2,mj2`; undefined for what is not taken. */
export function demuxerNamed(formatName: string): string | undefined {
  return formatName.split(',').find((name) => (taken as readonly string[]).includes(name));
}

/** These have an index of keyframes that can be trusted; files of all others are copied into the last of them first. */
export const seekableDemuxers: readonly string[] = ['mov', 'matroska'];

/** Bounds of what a hostile file may make a demuxer or decoder take at once. */
const allocationLimitBytes = 512 * 1024 ** 2;

/** Options that open a file of ours with one demuxer, and nothing else, wherever its bytes may point. */
export function openingOptions(demuxer: string): string[] {
  return [
    '-max_alloc',
    String(allocationLimitBytes),
    '-protocol_whitelist',
    'file',
    '-format_whitelist',
    demuxer,
    '-f',
    demuxer,
    ...(demuxer === 'mov' ? ['-enable_drefs', '0', '-use_absolute_path', '0'] : []),
  ];
}

/** How far a tool looks into a file for its streams, where all of them matter. */
export const sniffingBounds: readonly string[] = ['-probesize', '20000000', '-analyzeduration', '20000000'];

/** Options for the one look that finds out what a file is. */
export const sniffingOptions: readonly string[] = [
  '-max_alloc',
  String(allocationLimitBytes),
  '-protocol_whitelist',
  'file',
  '-format_whitelist',
  demuxerWhitelist,
  ...sniffingBounds,
];

/** A path as an address of the only protocol that is allowed. */
export function fileAddress(path: string): string {
  return `file:${path}`;
}
