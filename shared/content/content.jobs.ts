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
 * All of them repeat `latest`: the rows decide what is left to do. A request that comes while the same work is running
 * leads to one more run afterwards, so that no request is lost.
 */

/**
 * Begins a new content: probes the source and takes a thumbnail. What can be copied is made here, so that it soon plays; of
 * anything else a quick generation is planned.
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
 * Makes the quick generation of a content while its source arrives. It has a queue of its own: it waits for a sender, and must hold up
 * nobody whose file is there.
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

/** The same for a quick generation, in a queue of its own: it waits for no chunk of any full one. */
export const transcodeQuickChunk = defineJob({
  ...transcodeChunk,
  name: 'content.transcodeQuick',
  queue: 'quick-transcoding',
});

/** Makes the pictures over the seek bar of a content that plays. Without a priority: it comes before the chunks of full generations. */
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

/** When the last chunk of a generation is done: verifies its files, writes the playlists and makes it the one that plays. */
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

/** Queues work again that a crash has left undone, and the removal of files that nobody can watch any more. */
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
