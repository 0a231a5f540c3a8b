import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { withErrorListener } from '../../../shared/platform/errorListener.js';
import { StartupError } from '../../../scripts/embedded/startupError.js';
import type { Terminal } from '../../../scripts/embedded/terminal.js';
import type { Broadcast } from './broadcast.js';

interface TestPictureOptions {
  readonly ffmpegPath: string;
  readonly broadcast: Broadcast;
  /** Null: until it is stopped. */
  readonly seconds: number | null;
  readonly terminal: Terminal;
}

const lineEverySeconds = 5;

/** A colour gradient that moves slowly, and in front of it a large clock: that of the small test picture, enlarged. */
const images = [
  'gradients=s=320x180:rate=30:c0=0x0b132b:c1=0x1c6e8c:c2=0x6a4c93:c3=0xff8c61:nb_colors=4:speed=0.012:seed=11',
  'testsrc2=s=320x180:rate=30',
];
const composition = [
  '[0:v]scale=1280:720[back]',
  "[1:v]crop=100:16:2:2,lutyuv=y='if(gt(val,100),235,16)':u=128:v=128,scale=1000:160:flags=neighbor,pad=1060:220:-1:-1[clock]",
  '[back][clock]overlay=x=(W-w)/2:y=(H-h)/2[v]',
].join(';');
/** A tone once a second. */
const audio = "aevalsrc='0.2*sin(2*PI*880*t)*lt(mod(t,1),0.1)':s=48000:c=stereo";
const picture = [
  ...[...images, audio].flatMap((source) => ['-re', '-f', 'lavfi', '-i', source]),
  ...['-filter_complex', composition, '-map', '[v]', '-map', `${images.length}:a`],
];
const coding = [
  ...['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p', '-g', '60'],
  ...['-b:v', '2500k', '-maxrate', '2500k', '-bufsize', '2500k', '-c:a', 'aac', '-b:a', '128k'],
];

/**
 * Publishes with ffmpeg, as an encoder does. `begun` resolves when the service has accepted the stream; `ended` rejects with
 * StartupError where it is refused or lost.
 */
export function publishTestPicture({ ffmpegPath, broadcast, seconds, terminal }: TestPictureOptions): {
  readonly begun: Promise<void>;
  readonly ended: Promise<void>;
  stop(): Promise<void>;
} {
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
