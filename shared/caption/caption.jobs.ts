import Joi from 'joi';
import type { ContentPayload } from '../content/content.jobs.js';
import { defineJob } from '../platform/queue/index.js';

const payload = Joi.object<ContentPayload, true>({ contentId: Joi.string().uuid().required() });
const minute = 60_000;

/** Makes captions of the subtitles that the source of a content has, and of the closed captions in its video. */
export const readSourceCaptions = defineJob({
  name: 'caption.readSource',
  queue: 'transcoding',
  payload,
  key: ({ contentId }) => `${contentId}-source`,
  attempts: 3,
  backoffMs: 30_000,
  timeoutMs: 60 * minute,
});

/** Makes automatic captions of what is said in a content. Only where a program or an address for it is configured. */
export const transcribeContent = defineJob({
  name: 'caption.transcribe',
  queue: 'transcription',
  payload,
  key: ({ contentId }) => `${contentId}-transcription`,
  attempts: 3,
  backoffMs: 5 * minute,
  timeoutMs: 12 * 60 * minute,
});
