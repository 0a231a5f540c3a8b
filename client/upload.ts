import { errorOf } from './clientErrors.js';
import { pause } from './pause.js';

/** Metadata of an upload; `docs/contract.md#choices-tus`. */
export interface UploadFields {
  readonly title: string;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly thumbnailId?: string | undefined;
  /** A UUID or another text, unique for each content: a second upload with it is rejected. */
  readonly contentIdentifier?: string | undefined;
  /** Default: the name of a `File`. */
  readonly fileName?: string | undefined;
}

export interface UploadProgress {
  readonly sentBytes: number;
  readonly totalBytes: number;
  readonly percent: number;
}

export interface UploadOptions {
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** URL of a started upload (`onAddress`), which is continued. If it has expired: ApiError, 404 or 410. */
  readonly address?: string | undefined;
  /** Called with the URL of a new upload. If stored, another process or the reloaded page can continue the upload. */
  readonly onAddress?: ((address: string) => void) | undefined;
}

type Fetch = (request: Request) => Promise<Response>;

const version = { 'Tus-Resumable': '1.0.0' };
const pieceBytes = 8 * 1024 ** 2;
/** Maximum number of consecutive requests without progress. */
const maxFailures = 8;

/**
 * Uploads a file with tus, in pieces, and continues after a broken connection. Resolves with the id of the box item. Throws
 * ApiError if the service refuses it, the reason of `signal`, and the connection's error after too many attempts.
 */
export async function upload(
  send: Fetch,
  endpoint: string,
  file: Blob,
  fields: UploadFields,
  options: UploadOptions = {},
): Promise<string> {
  const { signal = new AbortController().signal, onAddress } = options;
  let address = options.address === undefined ? null : new URL(options.address, endpoint).href;
  let offset: number | null = address === null ? 0 : null;
  for (let failures = 0; ;) {
    try {
      if (address === null) {
        address = await create(send, endpoint, file, fields, signal);
        onAddress?.(address);
      }
      const state: UploadState =
        offset === null ? await readState(send, address, signal) : await sendPiece(send, address, file, offset, signal);
      if (state.offset > (offset ?? 0)) failures = 0;
      offset = state.offset;
      report(options, offset, file.size);
      if (state.boxId !== null) return state.boxId;
    } catch (error) {
      signal.throwIfAborted();
      failures += 1;
      if (!mayPass(error) || failures > maxFailures) throw error;
      await pause(250 * 2 ** failures, signal);
      // The next request reads the offset from the service.
      offset = null;
    }
  }
}

interface UploadState {
  readonly offset: number;
  /** Present when the upload is complete. */
  readonly boxId: string | null;
}

async function create(
  send: Fetch,
  endpoint: string,
  file: Blob,
  fields: UploadFields,
  signal: AbortSignal,
): Promise<string> {
  const headers = { ...version, 'Upload-Length': String(file.size), 'Upload-Metadata': metadataOf(file, fields) };
  const response = await send(new Request(endpoint, { method: 'POST', headers, signal }));
  const location = response.headers.get('Location');
  if (!response.ok || location === null) throw await errorOf(response);
  return new URL(location, endpoint).href;
}

async function sendPiece(
  send: Fetch,
  address: string,
  file: Blob,
  offset: number,
  signal: AbortSignal,
): Promise<UploadState> {
  const headers = { ...version, 'Upload-Offset': String(offset), 'Content-Type': 'application/offset+octet-stream' };
  const body = file.slice(offset, offset + pieceBytes, headers['Content-Type']);
  return stateOf(await send(new Request(address, { method: 'PATCH', headers, body, signal })));
}

async function readState(send: Fetch, address: string, signal: AbortSignal): Promise<UploadState> {
  return stateOf(await send(new Request(address, { method: 'HEAD', headers: version, signal })));
}

async function stateOf(response: Response): Promise<UploadState> {
  if (!response.ok) throw await errorOf(response);
  return { offset: Number(response.headers.get('Upload-Offset')), boxId: response.headers.get('Box-Id') };
}

/**
 * Whether an error may be temporary. 409: another request of this upload has not ended. Others: service or network fail or are
 * busy.
 */
function mayPass(error: unknown): boolean {
  const { status } = error as { status?: unknown };
  return typeof status !== 'number' || status >= 500 || [408, 409, 423, 429, 460].includes(status);
}

function metadataOf(file: Blob, { tags = [], fileName, ...fields }: UploadFields): string {
  const name = fileName ?? (file as { name?: string }).name;
  const texts: Record<string, string | undefined> = {
    ...fields,
    tag: tags.length > 0 ? tags.join('\n') : undefined,
    filename: name || undefined,
  };
  return Object.entries(texts)
    .flatMap(([key, text]) => (text === undefined ? [] : [`${key} ${base64Of(text)}`]))
    .join(',');
}

function base64Of(text: string): string {
  return btoa(String.fromCodePoint(...new TextEncoder().encode(text)));
}

function report({ onProgress }: UploadOptions, sentBytes: number, totalBytes: number): void {
  onProgress?.({ sentBytes, totalBytes, percent: totalBytes === 0 ? 100 : (sentBytes / totalBytes) * 100 });
}
