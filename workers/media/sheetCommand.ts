import type { MediaCommand } from './runner.js';
import { assumedMatrix, colourOptions, jpegColours } from './colours.js';

/** A sheet with one tile for each keyframe in an H.264 file. */
export interface SheetCommand {
  readonly folder: string;
  /** File names in the folder. */
  readonly input: string;
  readonly output: string;
  /** Size of the keyframes. */
  readonly size: { readonly width: number; readonly height: number };
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly columns: number;
  readonly rows: number;
}

/** Medium JPEG quality: a sheet of noise has 1.3 MB, a sheet of a film 0.2 MB. */
const quality = 6;

/** `-r` replaces the timestamps of the stream, which has gaps between the selected keyframes. */
export function sheetCommand(sheet: SheetCommand): MediaCommand {
  const { folder, input, output, tileWidth, tileHeight, columns, rows } = sheet;
  const size = `${tileWidth}:${tileHeight}`;
  const steps = [
    `scale=${size}:force_original_aspect_ratio=decrease:${jpegColours}`,
    `pad=${size}:-1:-1,setsar=1`,
    `tile=${columns}x${rows}`,
  ];
  return {
    folder,
    inputs: [
      { path: input, options: [...colourOptions({ matrix: assumedMatrix(sheet.size) }), '-f', 'h264', '-r', '1'] },
    ],
    filter: `[0:0]${steps.join(',')}[sheet]`,
    outputs: [
      {
        path: output,
        options: [
          ...['-map', '[sheet]', '-frames:v', '1', '-map_metadata', '-1'],
          ...['-c:v', 'mjpeg', '-q:v', String(quality), '-pix_fmt', 'yuvj420p', '-f', 'image2', '-update', '1'],
        ],
      },
    ],
  };
}
