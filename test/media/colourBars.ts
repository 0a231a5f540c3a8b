import { runTool } from '../support/media.js';

/** Red, green, blue and yellow, side by side, as RGB. */
export function colourBars(size = '320x180', rate = '25', seconds = 2): string[] {
  const between = (first: number, end: number): string => `gte(X,${first}*W/4)*lt(X,${end}*W/4)`;
  const [red, green, blue] = [`${between(0, 1)}+${between(3, 4)}`, `${between(1, 2)}+${between(3, 4)}`, between(2, 3)];
  const geq = `geq=r='255*(${red})':g='255*(${green})':b='255*${blue}'`;
  return ['-f', 'lavfi', '-i', `nullsrc=s=${size}:r=${rate}:d=0.04,format=gbrp,${geq},loop=-1:1,trim=end=${seconds}`];
}

export const barColours = [
  [255, 0, 0],
  [0, 255, 0],
  [0, 0, 255],
  [255, 255, 0],
] as const;

/** The colours in the middle of each quarter of the first frame, as browsers display them: untagged video as BT.709. */
export async function shownColours(media: Buffer): Promise<number[][]> {
  const { matrix } = await colourTags(media);
  const assumed = matrix === 'unknown' ? ':in_color_matrix=bt709' : '';
  const scale = `scale=flags=accurate_rnd+full_chroma_int${assumed},format=gbrp,scale=12:1:flags=area,format=rgb24`;
  const printed = await runTool(
    'ffmpeg',
    ['-i', '-', '-map', '0:v:0', '-frames:v', '1', '-vf', scale, '-f', 'rawvideo', '-'],
    media,
  );
  const pixels = [...Buffer.from(printed, 'latin1')];
  return [1, 4, 7, 10].map((column) => pixels.slice(column * 3, column * 3 + 3));
}

/** The colour tags of a file's first video stream, in the container or in the video. */
export async function colourTags(media: Buffer) {
  const entries = 'stream=color_range,color_space,color_primaries,color_transfer';
  const printed = await runTool(
    'ffprobe',
    ['-select_streams', 'v:0', '-show_entries', entries, '-of', 'default=nw=1', '-'],
    media,
  );
  const tag = (name: string): string => new RegExp(`^color_${name}=(.*)$`, 'm').exec(printed)?.[1] ?? 'unknown';
  return { range: tag('range'), matrix: tag('space'), primaries: tag('primaries'), transfer: tag('transfer') };
}

/** The maximum difference of two lists of colours, in one component. */
export function colourDifference(one: readonly (readonly number[])[], other: readonly (readonly number[])[]): number {
  return Math.max(
    ...one.flatMap((colour, at) => colour.map((value, part) => Math.abs(value - (other[at]?.[part] ?? NaN)))),
  );
}
