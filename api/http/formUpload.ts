import type { Request, Response } from 'express';
import multer from 'multer';
import { plainFileName } from '../../shared/platform/formats/contentDisposition.js';
import { MalformedRequestError, TooLargeError } from '../../shared/platform/errors.js';
import { CopiedBody } from './copiedBody.js';
import { isAborted } from './disconnectSignal.js';
import { UnsupportedMediaTypeError } from './httpErrors.js';
import type { RequestOf, UploadForm } from './route.js';
import { maxFieldBytes, uploadErrorOf } from './uploadError.js';

/** Size limit of a form's text parts and boundaries. */
const formBytes = 1024 ** 2;
const limits = {
  files: 1,
  fields: 200,
  parts: 201,
  fieldSize: maxFieldBytes,
  fieldNameSize: 100,
  fieldNestingDepth: 1,
  fieldArrayIndexLimit: 200,
};

export interface ReceivedUpload {
  /** The text parts (repeated ones as arrays), and the result of `store` under the name of the file part. */
  readonly fields: Record<string, unknown>;
  /** Call it if the request fails later. Removes the file and its rows, and releases the quota reservation. */
  readonly undo: () => Promise<void>;
}

/**
 * Receives an upload: calls the form's `before` before the body is read, then streams the file part into `store` as it
 * arrives, in constant memory. If anything fails (aborted, incomplete, malformed, too large, rejected by `store`), it
 * undoes everything and then throws an error for the caller; the rest of the body stays unread.
 */
export async function receiveUpload(
  upload: UploadForm,
  request: RequestOf<unknown, unknown, unknown>,
  req: Request,
  res: Response,
): Promise<ReceivedUpload> {
  const maxBytes = upload.maxBytes(request.ctx);
  assertReadable(req, maxBytes);
  const reserved = await upload.before?.(request);
  const reception = new Reception(upload, request, reserved, { maxBytes, req });
  try {
    const fields = await reception.receive(req, res);
    return { fields, undo: () => reception.undo() };
  } catch (error) {
    await reception.undo();
    throw uploadErrorOf(error, { part: upload.part, maxBytes });
  }
}

function assertReadable(req: Request, maxBytes: number): void {
  if (!/^multipart\/form-data\s*;/i.test(req.headers['content-type'] ?? ''))
    throw new MalformedRequestError({ key: 'upload.notMultipart' });
  const coding = req.headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity')
    throw new UnsupportedMediaTypeError({ key: 'error.contentCoding', values: { coding: coding.slice(0, 50) } });
  if (Number(req.headers['content-length'] ?? 0) > maxBytes + formBytes) throw new TooLargeError(maxBytes);
}

/** One upload. multer reads a copy of the request: the copy can be ended at any time. */
class Reception {
  readonly #upload: UploadForm;
  readonly #request: RequestOf<unknown, unknown, unknown>;
  readonly #reserved: unknown;
  readonly #maxBytes: number;
  readonly #copied: CopiedBody;
  #stored: object | undefined;
  #storing: Promise<void> = Promise.resolve();
  #undone: Promise<void> | undefined;

  constructor(
    upload: UploadForm,
    request: RequestOf<unknown, unknown, unknown>,
    reserved: unknown,
    { maxBytes, req }: { readonly maxBytes: number; readonly req: Request },
  ) {
    this.#upload = upload;
    this.#request = request;
    this.#reserved = reserved;
    this.#maxBytes = maxBytes;
    this.#copied = new CopiedBody(request.ctx, req);
  }

  async receive(req: Request, res: Response): Promise<Record<string, unknown>> {
    const parts: Record<string, unknown> = {};
    const copied = this.#copied;
    const maxBytes = this.#maxBytes;
    const copy = copied.open((_chunk, bytes) => {
      if (bytes > maxBytes + formBytes) throw new TooLargeError(maxBytes);
    });
    const body = Object.assign(copy, { headers: req.headers, body: parts });
    try {
      await this.#parse(body as unknown as Request, res);
    } catch (error) {
      // The store has destroyed the part's stream. The error of the store, which has the reason, follows after its cleanup.
      if (isAborted(error)) await this.#storing;
      copied.fail(error);
    } finally {
      copied.close();
      await this.#storing;
    }
    if (copied.failure !== undefined) throw copied.failure;
    const { [this.#upload.part]: _text, ...fields } = body.body;
    return this.#stored === undefined ? fields : { ...fields, [this.#upload.part]: this.#stored };
  }

  /** Runs at most once. A failure is logged, and the sweep of expired uploads cleans up later. */
  undo(): Promise<void> {
    this.#undone ??= this.#upload
      .undo(this.#request, this.#stored, this.#reserved)
      .catch((error: unknown) =>
        this.#request.log.error({ err: error }, 'undoing an upload failed; the sweep will clean up'),
      );
    return this.#undone;
  }

  #parse(body: Request, res: Response): Promise<void> {
    const form = multer({
      storage: {
        _handleFile: (_req, file, done) => this.#store(file, done),
        _removeFile: (_req, _file, done) => done(null),
      },
      limits: { ...limits, fileSize: this.#maxBytes },
      defParamCharset: 'utf8',
      // multer would wait for the end of a rejected body. It unpipes when it has finished; the stream is destroyed then.
      streamHandler(source: Request, parser: NodeJS.WritableStream) {
        parser.once('unpipe', () => setImmediate(() => source.destroy()));
        source.pipe(parser);
      },
    } as multer.Options).single(this.#upload.part);
    return new Promise((resolve, reject) => {
      form(body, res, (error: unknown) => (error ? reject(error) : resolve()));
    });
  }

  #store(file: Express.Multer.File, done: (error?: unknown) => void): void {
    const { stream } = file;
    stream.once('limit', () => stream.destroy(new TooLargeError(this.#maxBytes)));
    const part = {
      fileName: plainFileName(file.originalname),
      mimeType: file.mimetype,
      stream,
      reserved: this.#reserved,
    };
    this.#storing = this.#upload.store(this.#request, part).then(
      (stored) => {
        this.#stored = stored;
        done(null);
      },
      (error: unknown) => {
        this.#copied.fail(error);
        done(error);
      },
    );
  }
}
