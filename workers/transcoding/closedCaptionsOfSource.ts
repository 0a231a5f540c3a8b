import { addGeneratedCaption, maxCaptions } from '../../shared/caption/caption.service.js';
import type { ContentPayload } from '../../shared/content/content.jobs.js';
import type { LeftOutSubtitles } from '../../shared/content/leftOutSubtitles.js';
import { captionChannels } from '../../shared/media/closedCaptions/index.js';
import { DamagedMediaError } from '../../shared/media/mp4/index.js';
import { unknownLanguage } from '../../shared/platform/formats/language.js';
import { closedCaptionCommand, mayHaveClosedCaptions, MediaError } from '../media/index.js';
import type { JobRun } from '../runtime/jobTypes.js';
import { copySeconds, unlessMediaFails, type CaptionSource, type MadeCaptions } from './captionSource.js';
import { ClosedCaptionReader } from './closedCaptionReader.js';

/**
 * Creates captions from the closed captions (CEA-608) in the video of a source. The video does not declare the language of a
 * channel. Captions before a damaged part are used.
 */
export async function makeClosedCaptions(
  run: JobRun<ContentPayload>,
  { path, folder, startMs, description: { demuxer, video, subtitles } }: CaptionSource,
): Promise<MadeCaptions> {
  const { ctx, payload, signal } = run;
  if (!video || !mayHaveClosedCaptions(video)) return { added: 0, leftOut: [] };
  const reader = new ClosedCaptionReader(startMs);
  const onData = (data: Buffer): undefined => {
    try {
      reader.push(data);
    } catch (error) {
      if (error instanceof DamagedMediaError || error instanceof RangeError) throw new MediaError(error.message);
      throw error;
    }
  };
  const command = closedCaptionCommand({ folder, path, demuxer, video });
  await unlessMediaFails(run, folder, () =>
    ctx.media.runner.stream(command, { signal, maxProcessorSeconds: copySeconds, onData }),
  );
  const channels = reader.finish();
  const leftOut: LeftOutSubtitles[] = [];
  let added = 0;
  for (const [index, { channel, read }] of channels.entries()) {
    const reason = subtitles.length + index < maxCaptions ? read : 'tooMany';
    if (typeof reason === 'string') {
      leftOut.push({ label: channel, reason });
      continue;
    }
    const described = { language: unknownLanguage, label: channel, kind: 'captions' as const };
    const stream = -1 - captionChannels.indexOf(channel);
    const caption = { ...described, origin: 'SOURCE' as const, stream, cues: reason };
    if (await addGeneratedCaption(ctx, payload.contentId, caption)) added += 1;
  }
  if (channels.length === 0 && reader.hasDigitalService) leftOut.push({ label: 'CEA-708', reason: 'digital' });
  return { added, leftOut };
}
