import { vttTime } from '../media/vttTime.js';

/** Pictures over the seek bar: sheets of tiles of equal size, row by row, a tile for each interval. */
export interface Storyboard {
  /** Folder of the sheets, in the folder of the content. */
  readonly folder: string;
  readonly tileWidth: number;
  readonly tileHeight: number;
  readonly tileCount: number;
  readonly intervalSeconds: number;
}

/** In width and in height. */
const sheetTiles = 10;
export const tilesPerSheet = sheetTiles ** 2;
/** Of a tile, in pixels: players show it at about this size. */
const maxSide = 160;
const shortestSide = 16;
/** A tile for each second of a short film, and for each 87 of one of 12 hours. */
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

/** How many tiles a sheet has in width and in height. `count`: its tiles, of which the last row may have fewer. */
export function sheetSize(count: number): { readonly columns: number; readonly rows: number } {
  return { columns: Math.min(sheetTiles, count), rows: Math.ceil(count / sheetTiles) };
}

export function sheetName(sheet: number): string {
  return `${String(sheet).padStart(3, '0')}.jpg`;
}

/**
 * The track of a storyboard: a WebVTT file whose cues are addresses of tiles, as media fragments. `sheetsPath`: where the sheets are,
 * relative to the file. The last cue ends with the content.
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
