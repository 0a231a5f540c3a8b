import { stageSource } from '../../shared/upload/form.driver.js';
import { dropUpload, openUpload, type UploadTicket } from '../../shared/upload/upload.service.js';
import type { RequestOf, UploadForm } from '../http/route.js';

type AnyRequest = RequestOf<unknown, unknown, unknown>;

const maxProgressIdLength = 128;

/**
 * The part `file` of `POST /api/box`: quota is reserved by Content-Length before the body is read, and the file is streamed to the
 * storage.
 */
export const sourceForm: UploadForm = {
  part: 'file',
  maxBytes: (ctx) => ctx.config.http.uploadLimitBytes,
  before: (request) =>
    openUpload(request.ctx, request.userId, { bytes: contentLength(request), progressId: progressIdOf(request) }),
  store: (request, part) => stageSource(request.ctx, part.reserved as UploadTicket, part),
  async undo({ ctx }, _stored, reserved) {
    await dropUpload(ctx, reserved as UploadTicket);
  },
};

/** Content-Length of the form, which is a little longer than the file. Null: not sent. */
function contentLength({ headers }: AnyRequest): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

/** The header `X-<name>-progressbarId`. Null if it is empty or too long. */
export function progressIdOf({ ctx, headers }: AnyRequest): string | null {
  const header = headers[`x-${ctx.config.service.name.toLowerCase()}-progressbarid`];
  const id = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  return id === '' || id.length > maxProgressIdLength ? null : id;
}
