import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import type { BenchContext } from './benchContext.js';

/*
 * An encoder whose frames show their capture time: a row of black and white squares in the upper left corner, one for each bit of
 * the time.
 */

const width = 854;
const height = 480;
const bits = 24;
const squarePixels = 20;
/** The stamp counts hundredths of a second, and wraps after 46 hours. */
const ticksPerSecond = 100;
const stampLimit = 2 ** bits;

/** Gray code: a stamp that is drawn while the time changes shows the previous or the next time, never another one. */
const stamp = `st(0,mod(floor(time(0)*${ticksPerSecond}),${stampLimit}));255*mod(floor(ld(0)/pow(2,X))+floor(ld(0)/pow(2,X+1)),2)`;
// Drawn when the frame enters the encoder, because the source may be read ahead.
const picture = [
  `[0:v]split[back][corner]`,
  `[corner]crop=${bits}:2:0:0,format=gray,geq=lum='${stamp}',scale=${bits * squarePixels}:${squarePixels}:flags=neighbor,format=yuv420p[stamp]`,
  `[back][stamp]overlay=0:0,format=yuv420p[v]`,
].join(';');
const coding = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-g', '60', '-keyint_min', '60'],
  ...['-sc_threshold', '0', '-b:v', '1500k', '-maxrate', '1500k', '-bufsize', '1500k', '-c:a', 'aac', '-b:a', '128k'],
];

/** Publishes 480p30 with a keyframe every two seconds, until the figure ends. */
export function publishStamped(bench: BenchContext, address: string): void {
  const sources = [`testsrc2=s=${width}x${height}:rate=30`, 'sine=frequency=440:sample_rate=48000'];
  const inputs = sources.flatMap((source) => ['-re', '-f', 'lavfi', '-i', source]);
  const encoder = withErrorListener(
    spawn(
      bench.tools.ffmpegPath,
      [
        ...['-v', 'error', '-nostdin', ...inputs, '-filter_complex', picture, '-map', '[v]', '-map', '1:a'],
        ...[...coding, '-f', 'flv', address],
      ],
      { stdio: ['ignore', 'ignore', 'inherit'] },
    ),
  );
  const closed = once(encoder, 'close');
  bench.cleanups.add(async () => {
    encoder.kill('SIGKILL');
    await closed.catch(() => {});
  });
}

/**
 * Evaluated in a page: the age of the frame that `video` shows, in hundredths of a second. A frame without a stamp returns any
 * value below 46 hours.
 */
export const secondsSinceCapture = `((video) => {
  const canvas = window.stampCanvas ??= Object.assign(document.createElement('canvas'), { width: ${bits * 8}, height: 8 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const share = [${bits * squarePixels} / ${width}, ${squarePixels} / ${height}];
  context.drawImage(video, 0, 0, video.videoWidth * share[0], video.videoHeight * share[1], 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 4, canvas.width, 1);
  let before = 0;
  let ticks = 0;
  for (let bit = ${bits - 1}; bit >= 0; bit -= 1) {
    before ^= data[(bit * 8 + 4) * 4] > 127 ? 1 : 0;
    ticks = ticks * 2 + before;
  }
  const now = Math.floor(Date.now() / ${1000 / ticksPerSecond});
  return ((((now - ticks) % ${stampLimit}) + ${stampLimit}) % ${stampLimit}) / ${ticksPerSecond};
})`;
