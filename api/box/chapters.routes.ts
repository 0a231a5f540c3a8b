import Joi from 'joi';
import { editableContentOf, ownItem } from '../../shared/box/box.queries.js';
import { maxChapters, maxChapterTitleLength, type Chapter } from '../../shared/content/chapters.js';
import { chaptersOf, replaceChapters } from '../../shared/content/chapters.service.js';
import { decimal, text } from '../http/fields.js';
import { defineRoute, type Route } from '../http/route.js';
import { boxParams } from './box.schemas.js';

/** Exceeds the length of every content. */
const latestStartSeconds = 360_000;

interface ChaptersBody {
  readonly chapters: readonly Chapter[];
}

const start = 'Start, in seconds.';

const chaptersBody = Joi.object<ChaptersBody>({
  chapters: Joi.array()
    .items(
      Joi.object<Chapter, true>({
        startSeconds: decimal().min(0).max(latestStartSeconds).required().example(90.5).description(start),
        title: text(maxChapterTitleLength).required(),
      }),
    )
    .max(maxChapters)
    .required()
    .description('All chapters; an empty list removes them.'),
});

const chaptersResponse = Joi.object({
  chapters: Joi.array()
    .items(Joi.object({ startSeconds: Joi.number().required().description(start), title: Joi.string().required() }))
    .required()
    .description('In the order of their start times.'),
}).meta({ className: 'Chapters' });

/** `docs/contract.md#chapters`. */
export const chapterRoutes: readonly Route[] = [
  defineRoute({
    method: 'get',
    path: '/api/box/:boxId/chapters',
    status: 200,
    operationId: 'getChapters',
    summary: 'Get the chapters of a content',
    description: 'A chapter ends when the next one starts.',
    params: boxParams,
    response: chaptersResponse,
    async handle({ ctx, userId, params }) {
      const { content } = await ownItem(ctx, userId, params.boxId);
      return { chapters: await chaptersOf(ctx, content.id) };
    },
  }),
  defineRoute({
    method: 'post',
    path: '/api/box/:boxId/chapters',
    status: 200,
    operationId: 'setChapters',
    summary: 'Replace the chapters of a content',
    description: 'New playbacks of the content have the new chapters.',
    params: boxParams,
    body: chaptersBody,
    errors: [403],
    response: chaptersResponse,
    async handle({ ctx, userId, params, body }) {
      const contentId = await editableContentOf(ctx, userId, params.boxId);
      return { chapters: await replaceChapters(ctx, contentId, body.chapters) };
    },
  }),
];
