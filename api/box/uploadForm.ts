import { dropUpload, openUpload, stageSource, type UploadTicket } from '../../shared/box/upload.service.js';
import type { RequestOf, UploadForm } from '../http/route.js';

type AnyRequest = RequestOf<unknown, unknown, unknown>;

const longestProgressId = 128;

/** `file` of `POST /api/box`: room is kept by Content-Length before a byte is read, and the file streams into the store. */
export const sourceForm: UploadForm = {
  part: 'file',
  maximumBytes: (ctx) => ctx.config.http.uploadLimitBytes,
  before: (request) =>
    openUpload(request.ctx, request.userId, { bytes: announcedBytes(request), progressId: progressIdOf(request) }),
  store: (request, part) => stageSource(request.ctx, part.reserved as UploadTicket, part),
  undo: (request, _stored, reserved) => dropUpload(request.ctx, reserved as UploadTicket),
};

/** Of the whole form; a little more than the file. Null where the sender does not know it. */
function announcedBytes({ headers }: AnyRequest): number | null {
  const length = headers['content-length'];
  return length === undefined ? null : Number(length);
}

/** `X-<name>-progressbarId`; one that is too long or blank is none. */
function progressIdOf({ ctx, headers }: AnyRequest): string | null {
  const header = headers[`x-${ctx.config.service.name.toLowerCase()}-progressbarid`];
  const id = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  return id === '' || id.length > longestProgressId ? null : id;
}
