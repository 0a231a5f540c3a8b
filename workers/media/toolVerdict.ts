import { randomUUID } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { freeBytesOf } from '../../shared/platform/storage/freeSpace.js';
import { demuxerAllocationLimitBytes } from './demuxers.js';
import { MachineError, MediaError, MediaInterruptedError } from './runner.js';

/** A tool that has ended, but was not ended by this process. */
export interface EndedTool {
  readonly tool: string;
  readonly code: number | null;
  /** Name of a signal. */
  readonly killedBy: string | null;
  /** The end of its error output. */
  readonly said: string;
  /** The folder of its output files. Undefined: it wrote none. */
  readonly folder?: string | undefined;
  /** The files that it read; relative paths are within the folder. */
  readonly inputs: readonly string[];
  /** The smallest measured free space of the folder's disk while it ran. */
  readonly lowestFreeBytes?: number;
  /** Aborts the verification. */
  readonly signal: AbortSignal;
}

/** A disk with less free space counts as full: nearly all writes fail. */
export const fullBytes = 4 * 1024 ** 2;
/** ffmpeg's segment muxers do not report a full disk. With so little space, their files can be incomplete. */
const silentlyFullBytes = 1024 ** 2;
/** A full disk that a tool reports is plausible below this free space, because space may have been freed since. */
const littleBytes = 1024 ** 3;
const writtenBytes = 64 * 1024;

/** Error messages of the C library. A malicious file may contain them too, so each is verified. */
const words = {
  full: /No space left on device|Disk quota exceeded/,
  input: /Input\/output error|Stale file handle/,
  files: /Too many open files/,
  memory: /Cannot allocate memory|std::bad_alloc/,
};

/** Signals of a crash. Other signals are sent from outside, such as SIGKILL by the kernel when memory is short. */
const crashes: ReadonlySet<string> = new Set(['SIGSEGV', 'SIGABRT', 'SIGFPE', 'SIGILL', 'SIGTRAP', 'SIGSYS']);

/**
 * The only function that decides why a tool failed. Resolves with MediaError only if a further run on an intact machine would fail
 * in the same way; with MachineError if disk, memory or files were missing, even if ffmpeg exits with 0 although its output is
 * incomplete; with null if the tool succeeded.
 */
export async function verdictOn(ended: EndedTool): Promise<Error | null> {
  const { tool, code, killedBy, said } = ended;
  if (isInterrupted(code, killedBy, said))
    return new MediaInterruptedError(`${tool} was ended by ${killedBy ?? `a signal (${code})`}`);
  if (isNotRun(code)) return new Error(`${tool} cannot be run: ${said}`.trim());
  const detail = `${tool} ended with ${code ?? killedBy}\n${said}`.trim();
  const cause = (await spaceFault(ended)) ?? (await inputFault(ended)) ?? machineFault(ended);
  if (cause !== null) return new MachineError(cause, detail);
  return code === 0 ? null : new MediaError(detail);
}

/**
 * Whether the tool has ended because of a shutdown signal. ffmpeg catches the signal and exits with 255. It also does if a function
 * has failed with -1, but then prints the message of EPERM.
 */
function isInterrupted(code: number | null, killedBy: string | null, said: string): boolean {
  if (killedBy === 'SIGTERM' || killedBy === 'SIGINT') return true;
  return code === 255 && !said.includes('Operation not permitted');
}

/** Exit codes of `setpriv` and `nice` when they cannot start the program; ffmpeg and ffprobe do not use them. */
function isNotRun(code: number | null): boolean {
  return code === 126 || code === 127;
}

/** ENOSPC if the disk is full: the job then waits, for any time. */
async function spaceFault({ code, said, folder, lowestFreeBytes = Infinity }: EndedTool): Promise<string | null> {
  if (folder === undefined) return null;
  const freeBytes = Math.min(lowestFreeBytes, await freeBytesOf(folder).catch(() => Infinity));
  if (freeBytes < (code === 0 ? silentlyFullBytes : fullBytes)) return 'ENOSPC';
  if (!words.full.test(said)) return null;
  return freeBytes < littleBytes || (await writeFault(folder)) !== null ? 'ENOSPC' : 'unproven ENOSPC';
}

/** The error code if an input file of the tool is unreadable. */
async function inputFault({ code, said, folder, inputs, signal }: EndedTool): Promise<string | null> {
  const isReported = words.input.test(said);
  if (code === 0 && !isReported) return null;
  for (const input of inputs) {
    const fault = await readFault(resolve(folder ?? '', input), isReported ? signal : null);
    if (fault !== null) return fault;
  }
  return isReported && folder !== undefined ? writeFault(folder) : null;
}

function machineFault({ said, killedBy, code }: EndedTool): string | null {
  if (killedBy !== null && !crashes.has(killedBy)) return killedBy;
  if (code === 0) return null;
  if (words.files.test(said)) return 'EMFILE';
  // A demuxer that requests more than the limit fails in the same way on every machine.
  return words.memory.test(said) && process.availableMemory() < demuxerAllocationLimitBytes ? 'ENOMEM' : null;
}

/** `signal`: reads the complete file, until it aborts. Null: reads only the first byte. */
async function readFault(path: string, signal: AbortSignal | null): Promise<string | null> {
  try {
    // Opening a pipe would wait for its writer.
    if (!(await stat(path)).isFile()) return null;
    const file = await open(path);
    try {
      const buffer = Buffer.alloc(signal ? 1024 ** 2 : 1);
      while ((await file.read(buffer)).bytesRead > 0 && signal) signal.throwIfAborted();
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    signal?.throwIfAborted();
    return codeOf(error);
  }
}

async function writeFault(folder: string): Promise<string | null> {
  const path = join(folder, `space-${randomUUID()}`);
  try {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(Buffer.alloc(writtenBytes));
      await file.sync();
    } finally {
      await file.close();
    }
    return null;
  } catch (error) {
    return codeOf(error);
  } finally {
    await rm(path, { force: true }).catch(() => {});
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'EIO';
}
