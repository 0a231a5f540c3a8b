import { join } from 'node:path';
import sharp from 'sharp';

/** Colours of a lake in front of hills, with the sun above it. */
export interface Scene {
  /** From the zenith to the horizon. */
  readonly sky: readonly [string, string, string];
  readonly sun: string;
  /** From the farthest to the nearest. */
  readonly hills: readonly [string, string, string];
  /** From the horizon to the shore. */
  readonly water: readonly [string, string];
  /** The camera's start position. */
  readonly startSeconds: number;
}

interface Layer {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly content: string;
  /** Position in the frame, as expressions of ffmpeg's filter `overlay`. */
  readonly x: string;
  readonly y: string;
}

const [width, height] = [1280, 720];
const horizon = 450;
/** A moving layer repeats itself after this many pixels. */
const period = 2560;
const rate = 30;

/**
 * Draws the layers of the scene into PNG files of a folder. ffmpeg moves them endlessly, as seen by a camera that follows the
 * shore: `inputs` are its input options, which must come first, and `filter` combines them into `[scene]`.
 */
export async function drawLandscape(
  scene: Scene,
  folder: string,
): Promise<{ readonly inputs: readonly string[]; readonly filter: string; readonly inputCount: number }> {
  const layers = layersOf(scene);
  const paths = await Promise.all(
    layers.map(async (layer) => {
      const path = join(folder, `${layer.name}.png`);
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${layer.width}" height="${layer.height}">${layer.content}</svg>`;
      await sharp(Buffer.from(svg)).png({ compressionLevel: 1 }).toFile(path);
      return path;
    }),
  );
  const overlays = layers.map(
    ({ x, y }, index) =>
      `[${index === 0 ? '0:v' : `layer${index}`}][${index + 1}:v]overlay=x='${x}':y='${y}'[layer${index + 1}]`,
  );
  return {
    inputs: [
      '-f',
      'lavfi',
      '-i',
      `color=black:s=${width}x${height}:r=${rate}`,
      ...paths.flatMap((path) => ['-i', path]),
    ],
    filter: `${overlays.join(';')};[layer${layers.length}]null[scene]`,
    inputCount: layers.length + 1,
  };
}

function layersOf({ sky, sun, hills, water, startSeconds }: Scene): Layer[] {
  const time = `(t+${startSeconds})`;
  const moving = (pixelsPerSecond: number): string => `-mod(${time}*${pixelsPerSecond},${period})`;
  const wide = period + width;
  return [
    {
      name: 'sky',
      ...{ width, height },
      content: `${gradient('sky', [sky[0], sky[1], sky[2]])}<rect width="${width}" height="${horizon + 10}" fill="url(#sky)"/>`,
      ...{ x: '0', y: '0' },
    },
    {
      name: 'sun',
      ...{ width: 900, height: 900 },
      content:
        `<radialGradient id="glow"><stop offset="0" stop-color="${sun}" stop-opacity="0.9"/><stop offset="0.12" stop-color="${sun}" stop-opacity="0.5"/>` +
        `<stop offset="0.45" stop-color="${sun}" stop-opacity="0.16"/><stop offset="1" stop-color="${sun}" stop-opacity="0"/></radialGradient>` +
        `<circle cx="450" cy="450" r="450" fill="url(#glow)"/><circle cx="450" cy="450" r="46" fill="#fffbe9"/>`,
      // The sun sets, and rises again after minutes.
      ...{ x: '400', y: `-160+70*sin(2*PI*${time}/240)` },
    },
    {
      name: 'birds',
      ...{ width: 220, height: 120 },
      content: birds(hills[2]),
      x: `${width}-mod(${time}*46,${width + 900})`,
      y: '120+22*sin(t/3)',
    },
    {
      name: 'far',
      ...{ width: wide, height: 260 },
      content: ridge(hills[0], 260, [3, 5, 11], 62),
      x: moving(5),
      y: `${horizon - 250}`,
    },
    {
      name: 'middle',
      ...{ width: wide, height: 170 },
      content: ridge(hills[1], 170, [4, 9, 17], 34),
      x: moving(12),
      y: `${horizon - 160}`,
    },
    {
      name: 'water',
      ...{ width, height: height - horizon },
      content: `${gradient('water', water)}<rect width="${width}" height="${height}" fill="url(#water)"/>`,
      ...{ x: '0', y: `${horizon}` },
    },
    {
      name: 'reflection',
      ...{ width: wide, height: 150 },
      content: `<g opacity="0.35" transform="translate(0 150) scale(1 -1)">${ridge(hills[1], 150, [4, 9, 17], 34)}</g>`,
      x: moving(12),
      y: `${horizon}`,
    },
    {
      name: 'light',
      ...{ width: wide, height: height - horizon },
      content: glitter(sun, 1),
      x: `mod(${time}*9,${period})-${period}`,
      y: `${horizon}`,
    },
    {
      name: 'ripples',
      ...{ width: wide, height: height - horizon },
      content: glitter(sky[2], 2),
      x: moving(26),
      y: `${horizon}`,
    },
    { name: 'shore', ...{ width: wide, height: 420 }, content: shore(hills[2]), x: moving(64), y: `${height - 420}` },
  ];
}

function gradient(id: string, colours: readonly string[]): string {
  const stops = colours.map(
    (colour, index) => `<stop offset="${index / (colours.length - 1)}" stop-color="${colour}"/>`,
  );
  return `<linearGradient id="${id}" x2="0" y2="1">${stops.join('')}</linearGradient>`;
}

/**
 * A line of hills above the bottom of a layer. The number of waves in a period is an integer, so that the line repeats seamlessly.
 */
function ridge(colour: string, layerHeight: number, waves: readonly number[], amplitude: number): string {
  const points = Array.from({ length: (period + width) / 8 + 1 }, (_, index) => {
    const position = (index * 8 * 2 * Math.PI) / period;
    const rise = waves.reduce((sum, count, order) => sum + Math.sin(position * count + order * 1.7) / (order + 1), 0);
    return `${index * 8},${(layerHeight * 0.5 - rise * amplitude).toFixed(1)}`;
  });
  return `<polygon fill="${colour}" points="0,${layerHeight} ${points.join(' ')} ${period + width},${layerHeight}"/>`;
}

/** Short horizontal lines on the water, longer and farther apart near the viewer. */
function glitter(colour: string, seed: number): string {
  const lines = Array.from({ length: 420 }, (_, index) => {
    const depth = scattered(index, seed) ** 1.6;
    const [x, y, length] = [scattered(index, seed + 7) * period, 4 + depth * 250, 10 + depth * 90];
    const opacity = (0.1 + 0.25 * scattered(index, seed + 13)).toFixed(2);
    return [x, x + period].map(
      (left) =>
        `<rect x="${left.toFixed(0)}" y="${y.toFixed(0)}" width="${length.toFixed(0)}" height="${(1 + depth * 3).toFixed(1)}" rx="2" opacity="${opacity}"/>`,
    );
  });
  return `<g fill="${colour}">${lines.flat().join('')}</g>`;
}

/** A dark bank with firs. */
function shore(colour: string): string {
  const firs = Array.from({ length: 26 }, (_, index) => {
    const [x, size] = [scattered(index, 3) ** 1.3 * 1500, 90 + scattered(index, 5) * 210];
    return [x, x + period].map((left) => fir(left, 390, size));
  });
  return `<g fill="${colour}">${firs.flat().join('')}</g>${ridge(colour, 420, [2, 7, 23], 12).replace('<polygon', '<polygon transform="translate(0 170)"')}<rect y="400" width="${period + width}" height="20" fill="${colour}"/>`;
}

function fir(x: number, bottom: number, size: number): string {
  const tiers = [0, 1, 2, 3].map((tier) => {
    const [top, low, half] = [
      bottom - size + tier * size * 0.2,
      bottom - size + (tier + 1.9) * size * 0.2,
      size * (0.07 + tier * 0.045),
    ];
    return `<polygon points="${x},${top} ${x - half},${low} ${x + half},${low}"/>`;
  });
  return `${tiers.join('')}<rect x="${x - size * 0.02}" y="${bottom - size * 0.3}" width="${size * 0.04}" height="${size * 0.4}"/>`;
}

function birds(colour: string): string {
  const positions = [
    [20, 60],
    [62, 38],
    [100, 66],
    [138, 30],
    [176, 52],
  ] as const;
  const wings = positions.map(([x, y]) => `<path d="M${x - 13} ${y} q7 -9 13 0 q6 -9 13 0"/>`);
  return `<g fill="none" stroke="${colour}" stroke-width="2.4" opacity="0.8">${wings.join('')}</g>`;
}

/** A pseudorandom number from 0 to 1, the same in every run. */
function scattered(index: number, seed: number): number {
  const value = Math.sin(index * 127.1 + seed * 311.7) * 43_758.5453;
  return value - Math.floor(value);
}
