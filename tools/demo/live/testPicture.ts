import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { StartupError } from '../../../scripts/embedded/startupError.js';
import type { Terminal } from '../../../scripts/embedded/terminal.js';
import { drawLandscape, type Scene } from '../../../scripts/sample/landscape.js';
import type { Broadcast } from './broadcast.js';

interface TestPictureOptions {
  readonly ffmpegPath: string;
  /** Folder of the files that the publication needs. */
  readonly folder: string;
  readonly broadcast: Broadcast;
  /** Null: until `stop`. */
  readonly seconds: number | null;
  readonly terminal: Terminal;
}

const lineEverySeconds = 5;

const scene: Scene = {
  sky: ['#274472', '#5b8db8', '#f4d9b0'],
  sun: '#fff1cf',
  hills: ['#7a93ab', '#46627d', '#15273a'],
  water: ['#b9cfd6', '#27506e'],
  startSeconds: 60,
};
/** The enlarged clock of ffmpeg's test picture, in a corner. */
const clockSource = 'testsrc2=s=320x180:rate=30';
const clockFilter = "crop=100:16:2:2,lutyuv=y='if(gt(val,100),235,16)':u=128:v=128,scale=400:64:flags=neighbor";
/** A tone once a second. */
const audio = "aevalsrc='0.2*sin(2*PI*880*t)*lt(mod(t,1),0.1)':s=48000:c=stereo";
const coding = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '60'],
  ...['-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '2500k', '-c:a', 'aac', '-b:a', '128k'],
];

/**
 * Publishes with ffmpeg, as an encoder does. `begun` resolves when the service has accepted the stream; `ended` rejects with
 * StartupError if the stream is rejected or lost.
 */
export async function publishTestPicture({
  ffmpegPath,
  folder,
  broadcast,
  seconds,
  terminal,
}: TestPictureOptions): Promise<{
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}> {
  const { inputs, filter, inputCount } = await drawLandscape(scene, folder);
  const picture = [
    ...['-re', ...inputs, ...[clockSource, audio].flatMap((source) => ['-re', '-f', 'lavfi', '-i', source])],
    ...[
      '-filter_complex',
      `${filter};[${inputCount}:v]${clockFilter}[clock];[scene][clock]overlay=x=W-w-40:y=40[picture]`,
    ],
    ...['-map', '[picture]', '-map', `${inputCount + 1}:a`],
  ];
  const { publishUrl } = broadcast;
  const { password } = new URL(publishUrl);
  const length = seconds === null ? [] : ['-t', String(seconds)];
  const child = withErrorListener(
    spawn(
      ffmpegPath,
      [
        ...['-hide_banner', '-nostdin', '-loglevel', 'error', '-progress', 'pipe:1', '-stats_period', '1'],
        ...[...picture, ...coding, ...length, '-f', 'flv', publishUrl],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    ),
  );
  let printed = '';
  let isStopped = false;
  child.stderr.on('data', (data: Buffer) => (printed = (printed + data.toString()).slice(-2_000)));
  const begun = new Promise<void>((resolve) =>
    showProgress(createInterface({ input: child.stdout }), terminal, resolve),
  );
  const closed = once(child, 'close') as Promise<[number | null]>;
  const ended = closed.then(([code]) => {
    if (code === 0 || isStopped) return;
    const reason = printed.replaceAll(password, '…').trim().split('\n').at(-1);
    throw new StartupError(`The stream has ended: ${reason || `ffmpeg ended with ${code}`}`);
  });
  return {
    begun,
    ended,
    async stop() {
      isStopped = true;
      child.kill('SIGINT');
      await closed;
    },
  };
}

function showProgress(lines: ReturnType<typeof createInterface>, { say }: Terminal, onBegun: () => void): void {
  let microseconds = 0;
  let bytes = 0;
  let shownAt = 0;
  let shownBytes = 0;
  lines.on('line', (line) => {
    const [name, value] = line.trim().split('=');
    if (name === 'out_time_us') microseconds = Number(value) || 0;
    if (name === 'total_size') bytes = Number(value) || 0;
    if (bytes > 0) onBegun();
    const seconds = Math.floor(microseconds / 1e6);
    if (name !== 'progress' || seconds - shownAt < lineEverySeconds) return;
    const megabits = ((bytes - shownBytes) * 8) / (seconds - shownAt) / 1e6;
    shownAt = seconds;
    shownBytes = bytes;
    say(`${clock(seconds)} published, ${megabits.toFixed(1)} Mbit/s`);
  });
}

function clock(seconds: number): string {
  return [seconds / 3600, (seconds / 60) % 60, seconds % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':');
}
