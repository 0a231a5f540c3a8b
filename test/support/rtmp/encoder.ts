import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** An ffmpeg that publishes a file. */
export interface Encoder {
  readonly process: ChildProcess;
  /** Its exit code and output, when it has ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly printed: string }>;
  kill(): Promise<void>;
}

/** Publishes a clip as fast as the server reads it, in real time, or in real time and repeated (`isLive`). */
export function startEncoder(
  clip: string,
  url: string,
  { isLive = false, isRealTime = false, options = [] as readonly string[], format = 'flv' } = {},
): Encoder {
  const live = [...(isLive || isRealTime ? ['-re'] : []), ...(isLive ? ['-stream_loop', '-1'] : [])];
  const child = spawn(
    process.env['FFMPEG_PATH'] ?? 'ffmpeg',
    ['-hide_banner', '-loglevel', 'info', '-nostats', ...live, '-i', clip, '-c', 'copy', ...options, '-f', format, url],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let printed = '';
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, printed }));
  return {
    process: child,
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** An encoder that reconnects when its connection ends, as OBS does. */
export interface KeptEncoder {
  /** The number of connections so far. */
  readonly connections: number;
  /** Kills the encoder, which then reconnects. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

const pauseMs = 300;

/** Publishes a clip repeatedly in real time, to the next of the URLs after each connection. */
export function keepPublishing(clip: string, addresses: readonly string[]): KeptEncoder {
  let isStopped = false;
  let connections = 0;
  let encoder: Encoder;
  const keep = async (): Promise<void> => {
    while (!isStopped) {
      encoder = startEncoder(clip, addresses[connections % addresses.length] as string, { isLive: true });
      connections += 1;
      await encoder.ended;
      await sleep(pauseMs);
    }
  };
  const ended = keep();
  return {
    get connections() {
      return connections;
    },
    kill: () => encoder.kill(),
    async stop() {
      isStopped = true;
      await encoder.kill();
      await ended;
    },
  };
}
