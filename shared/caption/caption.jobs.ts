import Joi from 'joi';
import type { ContentPayload } from '../content/content.jobs.js';
import { defineJob } from '../platform/queue/index.js';

const payload = Joi.object<ContentPayload, true>({ contentId: Joi.string().uuid().required() });
const minute = 60_000;

/** Creates captions from the subtitle streams of a content's source and from the closed captions in its video. */
export const readSourceCaptions = defineJob({
  name: 'caption.readSource',
  queue: 'transcoding',
  payload,
  key: ({ contentId }) => `${contentId}-source`,
  attempts: 3,
  backoffMs: 30_000,
  timeoutMs: 60 * minute,
});

/**
 * Creates automatic captions by transcribing a content's speech. Enqueued only if a program or a server for it is
 * configured.
 */
export const transcribeContent = defineJob({
  name: 'caption.transcribe',
  queue: 'transcription',
  payload,
  key: ({ contentId }) => `${contentId}-transcription`,
  attempts: 3,
  backoffMs: 5 * minute,
  timeoutMs: 12 * 60 * minute,
});
