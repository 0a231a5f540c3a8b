import { errorOf } from './clientErrors.js';
import { pause } from './pause.js';

/** Describes an upload; `docs/contract.md#choices-tus`. */
export interface UploadFields {
  readonly title: string;
  readonly description?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly thumbnailId?: string | undefined;
  /** A UUID or another text, which names the content for good: a second upload with it is refused. */
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
  /** Of an upload that was begun before (`onAddress`): it goes on where it was. Of one that has expired: ApiError, 404 or 410. */
  readonly address?: string | undefined;
  /** Called with the address of a new upload. Whoever keeps it can go on in another process, or after the page was loaded again. */
  readonly onAddress?: ((address: string) => void) | undefined;
}

type Fetch = (request: Request) => Promise<Response>;

const version = { 'Tus-Resumable': '1.0.0' };
const pieceBytes = 8 * 1024 ** 2;
/** Requests that have brought nothing, one after the other. */
const maxFailures = 8;

/**
 * Uploads a file by tus, in pieces, and goes on after a line that breaks. Resolves with the id of the box item. Throws ApiError where
 * the service refuses it, the reason of `signal`, and the error of the line where it does not come back.
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
      // The service knows how much has arrived.
      offset = null;
    }
  }
}

interface UploadState {
  readonly offset: number;
  /** Known when the last byte has arrived. */
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

/** 409: another request of this upload has not ended. The others: the service is busy, or away; or the line is. */
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
