import { createImport } from '../../shared/upload/import.driver.js';
import { assertOutgoing } from '../http/outgoingAddress.js';
import { defineRoute, type Route } from '../http/route.js';
import { boxItemResponse, importBody } from './box.schemas.js';
import { boxItemView } from '../../shared/views/box.views.js';
import { progressIdOf } from './uploadForm.js';

/** Files that the service fetches: `docs/contract.md#choices-import`. */
export const importRoutes: readonly Route[] = [
  defineRoute({
    method: 'post',
    path: '/api/box/import',
    status: 201,
    operationId: 'importBoxItem',
    summary: 'Import a content into the box from a URL',
    description:
      'The service fetches one video or audio file. The item is `PENDING` until the file is fetched and processed. The progress of the transfer can be read with the progress id of the header, or with `boxId`. If the file cannot be fetched, the item becomes `FAILED`, with `message`.',
    body: importBody,
    hasProgress: true,
    errors: [409, 413],
    response: boxItemResponse,
    async handle(request) {
      const { url, ...fields } = request.body;
      assertOutgoing(request.ctx.config, url);
      const item = await createImport(request.ctx, request.userId, { url, progressId: progressIdOf(request), fields });
      return boxItemView(item, request, { license: undefined, quality: undefined, vodCount: 0 });
    },
  }),
];
