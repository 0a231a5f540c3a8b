import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Router, type RequestHandler } from 'express';
import type { Context } from '../../shared/platform/context.js';
import { UnavailableError } from '../../shared/platform/errors.js';
import { jobTitle } from './jobTitle.js';
import { operatorGate } from './operatorGate.js';

/** Where `api/app` mounts it, behind the base path. */
export const bullBoardPath = '/admin/queues';

/** What would put work into the queues, or change it, past the outbox and the rows (house laws 3 and 6). */
const refused = new Set([
  '/api/queues/:queueName/add',
  '/api/queues/:queueName/:jobId/update-data',
  '/api/queues/:queueName/empty',
  '/api/queues/:queueName/obliterate',
]);

/** Scripts and styles are its own files; it sets styles in place and draws its icons as data. */
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

/** The Bull Board for operators: jobs with their progress, data and errors; retry, promote, remove, pause. */
export function bullBoard(ctx: Context): Router {
  let board: RequestHandler | undefined;
  const router = Router();
  router.use(...operatorGate(ctx));
  router.use((_request, response, next) => {
    response.setHeader('Content-Security-Policy', policy);
    ctx.queues.check().then(
      () => next(),
      (cause: unknown) =>
        next(new UnavailableError({ key: 'error.unavailable', detail: 'the queue server is away', cause })),
    );
  });
  router.use((request, response, next) => {
    // Made when somebody looks: a web process that nobody looks at reads no queue.
    board ??= createBoard(ctx);
    return board(request, response, next);
  });
  return router;
}

function createBoard(ctx: Context): RequestHandler {
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
        before: ({ route }) => ({ allow: !refused.has(route), message: 'Jobs are asked for through the service.' }),
      },
    },
  });
  return serverAdapter.getRouter() as RequestHandler;
}
