import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { runTool } from '../media.js';

/** The output of a program until it ended or was stopped. */
export interface PlayerOutput {
  readonly stdout: Buffer;
  readonly printed: string;
}

/** Runs a player until it ends, and stops it after `seconds`. */
export async function runPlayer(
  program: string,
  options: readonly string[],
  { seconds, environment = {} }: { readonly seconds: number; readonly environment?: Readonly<Record<string, string>> },
): Promise<PlayerOutput> {
  const child = spawn(program, options, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  const stdout: Buffer[] = [];
  let printed = '';
  child.stdout.on('data', (data: Buffer) => stdout.push(data));
  child.stderr.on('data', (data: Buffer) => (printed += data.toString()));
  const timer = setTimeout(() => child.kill('SIGTERM'), seconds * 1000);
  await once(child, 'close');
  clearTimeout(timer);
  return { stdout: Buffer.concat(stdout), printed };
}

/** VLC's recording of a URL, as an MPEG transport stream. */
export function recordWithVlc(address: string, seconds: number): Promise<PlayerOutput> {
  return runVlc(['--sout', '#std{access=file,mux=ts,dst=-}', address], seconds);
}

/** VLC refuses to run as root, so it runs as nobody. */
export function runVlc(options: readonly string[], seconds: number): Promise<PlayerOutput> {
  const vlc = ['--intf', 'dummy', '--play-and-exit', ...options];
  const isRoot = process.getuid?.() === 0;
  const asNobody = ['--reuid=65534', '--regid=65534', '--clear-groups', 'vlc', ...vlc];
  return runPlayer(isRoot ? 'setpriv' : 'vlc', isRoot ? asNobody : vlc, { seconds, environment: { HOME: '/tmp' } });
}

export interface RecordedPacket {
  readonly kind: 'video' | 'audio';
  readonly pts: number;
  readonly dts: number;
}

/** The packets of a recorded file in their order, in seconds. */
export async function recordedPackets(pathOrMedia: string | Buffer): Promise<RecordedPacket[]> {
  const entries = ['-show_entries', 'packet=codec_type,pts_time,dts_time', '-of', 'csv=p=0'];
  const isFile = typeof pathOrMedia === 'string';
  const printed = await runTool('ffprobe', [...entries, isFile ? pathOrMedia : '-'], isFile ? undefined : pathOrMedia);
  return printed
    .split('\n')
    .map((line) => line.split(','))
    .filter(([kind]) => kind === 'video' || kind === 'audio')
    .map(([kind, pts, dts]) => ({ kind: kind as RecordedPacket['kind'], pts: Number(pts), dts: Number(dts) }));
}
