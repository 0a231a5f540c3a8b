import Joi from 'joi';
import { defineJob, definePeriodicJob } from '../platform/queue/index.js';

export interface ContentPayload {
  readonly contentId: string;
}

export interface GenerationPayload extends ContentPayload {
  readonly generation: number;
}

export interface ChunkPayload extends GenerationPayload {
  /** Position of the chunk, from 0. */
  readonly chunk: number;
}

const contentId = Joi.string().uuid().required();
const generation = Joi.number().integer().min(1).required();
const minute = 60_000;

/*
 * All jobs use `repeats: 'latest'`: the rows decide what remains to be done. A job that is enqueued while the same work is
 * running causes one more run afterwards, so that no request is lost.
 */

/**
 * Ingests a new content: probes the source and takes a thumbnail. If the media can be copied, this job writes the quick
 * generation, so that the content plays soon; otherwise it plans an encoded quick generation.
 */
export const ingestContent = defineJob({
  name: 'content.ingest',
  queue: 'ingestion',
  payload: Joi.object<ContentPayload, true>({ contentId }),
  key: (payload) => payload.contentId,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 5_000,
  timeoutMs: 4 * 60 * minute,
});

/**
 * Writes the quick generation of a content while its source arrives. It has a separate queue, because it waits for the sender and
 * must not delay complete uploads.
 */
export const followContent = defineJob({
  ...ingestContent,
  name: 'content.follow',
  queue: 'arrivals',
  timeoutMs: 12 * 60 * minute,
});

/** Encodes the audio and plans the chunks of a generation with all renditions. */
export const ingestFully = defineJob({
  ...ingestContent,
  name: 'content.ingestFully',
  queue: 'transcoding',
});

/** Encodes one chunk in every rendition. */
export const transcodeChunk = defineJob({
  name: 'content.transcode',
  queue: 'transcoding',
  payload: Joi.object<ChunkPayload, true>({ contentId, generation, chunk: Joi.number().integer().min(0).required() }),
  key: (payload) => `${payload.contentId}-g${payload.generation}-c${payload.chunk}`,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 5_000,
  timeoutMs: 6 * 60 * minute,
});

/** Encodes one chunk of a quick generation. In a separate queue, so that it never waits for chunks of full generations. */
export const transcodeQuickChunk = defineJob({
  ...transcodeChunk,
  name: 'content.transcodeQuick',
  queue: 'quick-transcoding',
});

/** Renders the seek-bar thumbnails of a READY content. Jobs without a priority run before the chunks of full generations. */
export const makeStoryboard = defineJob({
  name: 'content.storyboard',
  queue: 'transcoding',
  payload: Joi.object<ContentPayload, true>({ contentId }),
  key: (payload) => `${payload.contentId}-storyboard`,
  repeats: 'latest',
  attempts: 3,
  backoffMs: 30_000,
  timeoutMs: 60 * minute,
});

/** Runs after the last chunk of a generation: verifies its files, writes the playlists and makes it the ready generation. */
export const assembleContent = defineJob({
  name: 'content.status',
  queue: 'transcoding-status',
  payload: Joi.object<GenerationPayload, true>({ contentId, generation }),
  key: (payload) => `${payload.contentId}-g${payload.generation}`,
  repeats: 'latest',
  attempts: 5,
  backoffMs: 2_000,
  timeoutMs: 15 * minute,
});

/** Removes files of a content that are no longer needed. */
export const cleanContent = defineJob({
  name: 'content.clean',
  queue: 'transcoding-status',
  payload: Joi.object<ContentPayload, true>({ contentId }),
  key: (payload) => `${payload.contentId}-clean`,
  repeats: 'latest',
  attempts: 5,
  backoffMs: 5_000,
  timeoutMs: 15 * minute,
});

/** Removes the files and then the rows of a DELETED content. */
export const removeContent = defineJob({
  name: 'content.remove',
  queue: 'transcoding-status',
  payload: Joi.object<ContentPayload, true>({ contentId }),
  key: (payload) => `${payload.contentId}-remove`,
  repeats: 'latest',
  attempts: 5,
  backoffMs: 5_000,
  timeoutMs: 15 * minute,
});

/** Enqueues unfinished work again after a crash, and the removal of files that no grant opens any more. */
export const sweepContents = definePeriodicJob({
  name: 'content.sweep',
  timeoutMs: 5 * minute,
});

/** Removes stored files that no row refers to. */
export const sweepFiles = definePeriodicJob({
  name: 'content.sweepFiles',
  timeoutMs: 60 * minute,
});

/** Removes uploaded thumbnails that no row refers to. The name of the job is part of the protocol. */
export const sweepThumbnails = definePeriodicJob({
  name: 'box.sweepThumbnails',
  timeoutMs: 15 * minute,
});
