import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import ffmpeg from 'fluent-ffmpeg';
import { killedWithParent } from './killWithParent.js';
import { fileAddress } from './demuxers.js';
import {
  MediaInterruptedError,
  type MediaCommand,
  type MediaProgress,
  type MediaRun,
  type MediaRunner,
  type ToolPaths,
} from './runner.js';
import { openOutputPipe, type TakeData } from './outputPipe.js';
import {
  endOfRun,
  endOfTool,
  refusedOutputMs,
  startTool,
  tailLength,
  toolEnvironment,
  usualNiceness,
  type ToolProcess,
} from './toolProcess.js';
import type { EndedTool } from './toolVerdict.js';
import { toolRuns, type ToolRun } from './toolRuns.js';
import { watch, type Watchdog } from './watchdog.js';

/** Accepts any share of decoding errors: otherwise ffmpeg fails at the end of a part with many of them. */
const forgiving = ['-max_error_rate', '1'];

/** Members of fluent-ffmpeg that its types do not declare. */
type Command = ffmpeg.FfmpegCommand & {
  ffmpegProc?: ChildProcess;
  _spawnFfmpeg(args: string[], options: object, ...rest: [...started: unknown[], ended: SpawnEnded]): void;
};

interface PrintedLines {
  get(): string;
}

type SpawnEnded = (error: Error | null, stdout?: PrintedLines, stderr?: PrintedLines) => void;

/** fluent-ffmpeg reads the output even if the process could not be started. */
const nothingPrinted: PrintedLines = { get: () => '' };

/**
 * Encodes with fluent-ffmpeg. Tools whose output this process reads are started directly (`startTool`): fluent-ffmpeg cannot run
 * ffprobe in this way, and would allocate a buffer for each part of ffmpeg's output. On Linux, the kernel kills the tools whenever
 * this process ends.
 */
export function openFfmpegRunner(paths: ToolPaths): MediaRunner {
  return {
    convert: (command, run) => traced('ffmpeg', () => untilShutdown(run, convert(paths.ffmpegPath, command, run))),
    stream: (command, run) => traced('ffmpeg', () => untilShutdown(run, stream(paths.ffmpegPath, command, run))),
    inspect: (options, run) => traced('ffprobe', () => untilShutdown(run, inspect(paths.ffprobePath, options, run))),
  };
}

const traced = (tool: ToolRun['tool'], work: () => Promise<void>): Promise<void> =>
  toolRuns.tracePromise(work, { tool });

/** A signal to all processes of a service may reach a tool before this process has begun its shutdown. */
const shutdownGraceMs = 1_000;

/** If a tool was ended from outside, rejects with the reason of the shutdown that usually follows. */
async function untilShutdown({ signal }: MediaRun, ended: Promise<void>): Promise<void> {
  try {
    await ended;
  } catch (error) {
    if (!(error instanceof MediaInterruptedError)) throw error;
    await sleep(shutdownGraceMs, undefined, { signal }).catch(() => {});
    throw signal.aborted ? signal.reason : error;
  }
}

async function convert(
  path: string,
  media: MediaCommand,
  run: MediaRun & { onProgress?: (progress: MediaProgress) => void },
): Promise<void> {
  run.signal.throwIfAborted();
  const { folder, inputs } = media;
  const { watchdog, ...ended } = await runToEnd(path, media, run);
  const lowestFreeBytes = watchdog.lowestFreeBytes();
  const files = filePaths(inputs.map((input) => input.path));
  await endOfRun({ tool: 'ffmpeg', ...ended, folder, inputs: files, lowestFreeBytes, signal: run.signal }, watchdog);
}

type RunEnd = Pick<EndedTool, 'code' | 'killedBy' | 'said'> & { readonly watchdog: Watchdog };

/** Rejects if the tool could not be started. */
async function runToEnd(
  path: string,
  media: MediaCommand,
  run: MediaRun & { onProgress?: (progress: MediaProgress) => void },
): Promise<RunEnd> {
  const command = build(path, media, run.niceness ?? usualNiceness);
  return new Promise((resolve, reject) => {
    let watchdog: Watchdog | undefined;
    command.once('start', () => {
      const child = command.ffmpegProc as ChildProcess;
      watchdog = watch(child, run, media.folder);
      child.stdout?.on(
        'data',
        progressReader((progress) => run.onProgress?.(progress), watchdog),
      );
    });
    const end = (code: number | null, killedBy: string | null, stderr: string | null): void => {
      if (!watchdog) return reject(new Error(`${path} ended before it started`));
      watchdog.stop();
      resolve({ watchdog, code, killedBy, said: (stderr ?? '').slice(-tailLength) });
    };
    command.once('end', (_stdout: string | null, stderr: string | null) => end(0, null, stderr));
    command.once('error', (error: Error, _stdout: string | null, stderr: string | null) => {
      const [, killedBy = null] = /was killed with signal (\w+)/.exec(error.message) ?? [];
      const [, code = null] = /exited with code (\d+)/.exec(error.message) ?? [];
      if (killedBy !== null || code !== null) return end(code === null ? null : Number(code), killedBy, stderr);
      watchdog?.stop();
      reject((watchdog?.reason() as Error | undefined) ?? new Error(`${path} cannot be run: ${error.message}`));
    });
    command.run();
  });
}

const filePrefix = fileAddress('');

/** The paths of all file addresses in a command. */
function filePaths(words: readonly string[]): string[] {
  return words.filter((word) => word.startsWith(filePrefix)).map((word) => word.slice(filePrefix.length));
}

function build(path: string, media: MediaCommand, niceness: number): Command {
  const command = ffmpeg({ cwd: media.folder, niceness, stdoutLines: 60 } as ffmpeg.FfmpegCommandOptions) as Command;
  const [program, ...words] = killedWithParent(path);
  command.setFfmpegPath(program);
  media.inputs.forEach((input, index) => {
    const global =
      index === 0
        ? [
            '-hide_banner',
            '-nostdin',
            '-loglevel',
            'error',
            '-progress',
            'pipe:1',
            '-stats_period',
            '0.5',
            ...forgiving,
          ]
        : [];
    command.input(input.path);
    addOptions((...options) => command.inputOptions(...options), [...global, ...input.options]);
  });
  if (media.filter !== undefined) command.complexFilter(media.filter);
  for (const output of media.outputs) {
    command.output(output.path);
    addOptions((...options) => command.outputOptions(...options), output.options);
  }
  const spawnTool = command._spawnFfmpeg.bind(command);
  command._spawnFfmpeg = (args, options, ...rest) => {
    const report = rest.pop() as SpawnEnded;
    spawnTool(
      [...words, ...args],
      { ...options, env: toolEnvironment() },
      ...rest,
      (error, stdout = nothingPrinted, stderr = nothingPrinted) => report(error, stdout, stderr),
    );
  };
  return command;
}

/** fluent-ffmpeg splits a single option at spaces. */
function addOptions(add: (...options: string[]) => unknown, options: readonly string[]): void {
  if (options.length === 1) throw new TypeError('a single option is not possible');
  if (options.length > 0) add(...options);
}

/**
 * Reads the output of `-progress`. Only changed values count as progress, because a process that hangs may print the same values
 * again.
 */
function progressReader(report: (progress: MediaProgress) => void, watchdog: Watchdog): (data: Buffer) => void {
  let rest = '';
  let block: Record<string, string> = {};
  let last = '';
  return (data) => {
    const lines = (rest + data.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [name = '', value = ''] = line.trim().split('=');
      block[name] = value;
      if (name !== 'progress') continue;
      const position = `${block['frame']} ${block['out_time_us']} ${block['total_size']}`;
      if (position !== last) watchdog.progress();
      last = position;
      report({ frames: Number(block['frame']) || 0, seconds: Math.max(0, Number(block['out_time_us']) / 1e6 || 0) });
      block = {};
    }
  };
}

async function stream(
  path: string,
  { folder, inputs, filter, outputs }: MediaCommand,
  run: MediaRun & { onData: TakeData },
): Promise<void> {
  const options = [
    '-nostdin',
    ...inputs.flatMap((input) => [...input.options, '-i', input.path]),
    ...(filter === undefined ? [] : ['-filter_complex', filter]),
    ...outputs.flatMap((output) => [...output.options, output.path]),
  ];
  let tool: ToolProcess | undefined;
  const { writer, ended } = await openOutputPipe((data) => {
    tool?.watchdog.progress();
    const taken = run.onData(data);
    return taken && tool ? taken.finally(tool.watchdog.pause()) : taken;
  });
  try {
    tool = startTool(path, options, run, { folder, output: writer });
  } finally {
    writer.destroy();
  }
  const { watchdog } = tool;
  ended.catch((error: unknown) => watchdog.end(error, refusedOutputMs));
  try {
    await endOfTool(tool, { tool: 'ffmpeg', inputs: filePaths(inputs.map((input) => input.path)), signal: run.signal });
    await ended;
  } finally {
    watchdog.stop();
  }
}

async function inspect(
  path: string,
  options: readonly string[],
  run: MediaRun & { onLine: (line: string) => void },
): Promise<void> {
  const tool = startTool(path, options, run);
  const { child, watchdog } = tool;
  const lines = createInterface({ input: child.stdout as Readable, crlfDelay: Number.POSITIVE_INFINITY });
  lines.on('line', (line) => {
    watchdog.progress();
    try {
      if (watchdog.reason() === undefined) run.onLine(line);
    } catch (error) {
      watchdog.end(error, refusedOutputMs);
      // ffprobe ends when it writes more output.
      child.stdout?.destroy();
    }
  });
  try {
    await endOfTool(tool, { tool: 'ffprobe', inputs: filePaths(options), signal: run.signal });
  } finally {
    watchdog.stop();
  }
}
