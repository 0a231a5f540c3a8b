import { tracingChannel } from 'node:diagnostics_channel';

/** A run of a program. */
export interface ToolRun {
  readonly tool: 'ffmpeg' | 'ffprobe';
}

/** Tells whoever subscribes when a program begins and ends; costs nothing without a subscriber. */
export const toolRuns = tracingChannel<unknown, ToolRun>('video-platform:tool');
