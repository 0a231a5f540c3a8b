import { vttTime } from '../media/vttTime.js';

/** Seek-bar thumbnails: sheets of tiles of equal size, row by row, one tile per interval. */
export interface Storyboard {
  /** Folder of the sheets in the content's folder. */
  readonly folder: string;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly tileCount: number;
  readonly intervalSeconds: number;
}

/** Tiles per row and per column. */
const sheetTiles = 10;
export const tilesPerSheet = sheetTiles ** 2;
/** Size of a tile, in pixels: players show it at about this size. */
const maxSide = 160;
const shortestSide = 16;
/** One tile per second of a short film, or per 87 seconds of a 12-hour film. */
const maxTiles = 500;

/** Size and times of the tiles of a content. */
export function planStoryboard(content: {
  readonly durationMs: number;
  readonly width: number;
  readonly height: number;
}): Omit<Storyboard, 'folder'> {
  const seconds = content.durationMs / 1000;
  const intervalSeconds = Math.max(1, Math.ceil(seconds / maxTiles));
  const scale = maxSide / Math.max(content.width, content.height);
  const side = (pixels: number): number => Math.max(shortestSide, 2 * Math.round((pixels * scale) / 2));
  return {
    ...{ tileWidth: side(content.width), tileHeight: side(content.height), intervalSeconds },
    tileCount: Math.max(1, Math.ceil(seconds / intervalSeconds)),
  };
}

/** Columns and rows of a sheet with `count` tiles. The last row may have fewer tiles. */
export function sheetSize(count: number): { readonly columns: number; readonly rows: number } {
  return { columns: Math.min(sheetTiles, count), rows: Math.ceil(count / sheetTiles) };
}

export function sheetName(sheet: number): string {
  return `${String(sheet).padStart(3, '0')}.jpg`;
}

/**
 * The track of a storyboard: a WebVTT file whose cues are addresses of tiles, as media fragments. `sheetsPath`: folder of the
 * sheets, relative to the file. The last cue ends with the content.
 */
export function storyboardTrack(storyboard: Storyboard, durationMs: number, sheetsPath: string): string {
  const { tileCount, tileWidth, tileHeight, intervalSeconds } = storyboard;
  const cues = Array.from({ length: tileCount }, (_, tile) => {
    const startMs = tile * intervalSeconds * 1000;
    const endMs = tile + 1 === tileCount ? durationMs : startMs + intervalSeconds * 1000;
    const place = tile % tilesPerSheet;
    const area = [(place % sheetTiles) * tileWidth, Math.floor(place / sheetTiles) * tileHeight, tileWidth, tileHeight];
    const address = `${sheetsPath}${sheetName(Math.floor(tile / tilesPerSheet))}#xywh=${area.join(',')}`;
    return `\n${vttTime(startMs)} --> ${vttTime(endMs)}\n${address}\n`;
  });
  return `WEBVTT\n${cues.join('')}`;
}
