import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { ToolPaths } from './runner.js';

const run = promisify(execFile);

/** The oldest release whose HLS muxer has the features that transcoding needs. */
const oldest = { major: 4, minor: 4 };
const encoders = ['libx264', 'aac'];

/**
 * Throws an Error with a message for the operator if ffmpeg or ffprobe does not run, is too old, or lacks a required encoder: a
 * content must not fail because of the machine that processes it.
 */
export async function checkTools(tools: ToolPaths): Promise<void> {
  await Promise.all([checkEncoder(tools.ffmpegPath), output(tools.ffprobePath, ['-version'])]);
}

async function checkEncoder(ffmpegPath: string): Promise<void> {
  const version = (await output(ffmpegPath, ['-version'])).match(/^ffmpeg version (\S+)/)?.[1] ?? 'unknown';
  // Builds of the development branch have no version number; they are newer.
  const [major, minor = 0] = version
    .match(/^n?(\d+)\.(\d+)/)
    ?.slice(1)
    .map(Number) ?? [Infinity];
  if (major !== undefined && (major < oldest.major || (major === oldest.major && minor < oldest.minor)))
    throw new Error(
      `${ffmpegPath} is ffmpeg ${version}, but ${oldest.major}.${oldest.minor} or later is required: set FFMPEG_PATH to a newer one.`,
    );
  const known = await output(ffmpegPath, ['-hide_banner', '-encoders']);
  const missing = encoders.filter((encoder) => !new RegExp(`^ [A-Z.]+ ${encoder} `, 'm').test(known));
  if (missing.length > 0)
    throw new Error(`${ffmpegPath} has no encoder ${missing.join(', ')}: set FFMPEG_PATH to a complete build.`);
}

async function output(program: string, parameters: readonly string[]): Promise<string> {
  try {
    return (await run(program, parameters, { timeout: 30_000 })).stdout;
  } catch (error) {
    throw new Error(`${program} does not run (${(error as Error).message.split('\n')[0]}).`, { cause: error });
  }
}
