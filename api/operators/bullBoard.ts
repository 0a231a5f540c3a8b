import { Router, type RequestHandler } from 'express';
import type { ProcessContext } from '../../shared/platform/processContext.js';
import { UnavailableError } from '../../shared/platform/errors.js';
import { jobTitle } from './jobTitle.js';
import type { OperatorGate } from './operatorGate.js';

/** Path of the board below the base path. */
export const bullBoardPath = '/admin/queues';

/** Actions that would add or change jobs without the outbox and without the jobs' rows. */
const forbiddenActions = new Set([
  '/api/queues/:queueName/add',
  '/api/queues/:queueName/:jobId/update-data',
  '/api/queues/:queueName/empty',
  '/api/queues/:queueName/obliterate',
]);

/** The board loads its own scripts and styles, sets inline styles and has icons as data URLs. */
const policy = [
  "default-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "worker-src 'self' blob:",
  "base-uri 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The Bull Board for operators: jobs with progress, data and errors; actions retry, promote, remove and pause. */
export function bullBoard(ctx: ProcessContext, gate: OperatorGate): Router {
  let board: Promise<RequestHandler> | undefined;
  const router = Router();
  router.use((request, response, next) => {
    gate(request, response);
    next();
  });
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', policy);
    ctx.queues.check().then(
      () => next(),
      (cause: unknown) =>
        next(new UnavailableError({ key: 'error.unavailable', detail: 'queue server unavailable', cause })),
    );
  });
  router.use(async (request, response, next) => {
    // Created on the first request, so that web processes without a request load no board and open no queues.
    board ??= createBoard(ctx);
    return (await board)(request, response, next);
  });
  return router;
}

async function createBoard(ctx: ProcessContext): Promise<RequestHandler> {
  const [{ createBullBoard }, { BullMQAdapter }, { ExpressAdapter }] = await Promise.all([
    import('@bull-board/api'),
    import('@bull-board/api/bullMQAdapter'),
    import('@bull-board/express'),
  ]);
  const serverAdapter = new ExpressAdapter();
  serverAdapter.setBasePath(`${ctx.config.service.basePath}${bullBoardPath}`);
  createBullBoard({
    queues: ctx.queues.all().map((queue) => {
      const adapter = new BullMQAdapter(queue);
      adapter.setFormatter('name', jobTitle);
      return adapter;
    }),
    serverAdapter,
    options: {
      uiConfig: { boardTitle: `${ctx.config.service.name} jobs`, hideDocsLink: true, showWorkers: false },
      handlerHooks: {
        before: ({ route }) => ({
          allow: !forbiddenActions.has(route),
          message: 'Only the service adds and removes jobs.',
        }),
      },
    },
  });
  return serverAdapter.getRouter() as RequestHandler;
}
