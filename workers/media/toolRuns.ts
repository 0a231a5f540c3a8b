import { tracingChannel } from 'node:diagnostics_channel';

/** A run of a program. */
export interface ToolRun {
  readonly tool: 'ffmpeg' | 'ffprobe';
}

/** Notifies subscribers when a program starts and ends; has no cost without subscribers. */
export const toolRuns = tracingChannel<unknown, ToolRun>('video-platform:tool');
