/** The members of an error body that the client reads. */
interface ErrorBody {
  readonly exception?: string;
  readonly message?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** An error response of the service. `message` is a sentence for people, in the client's language. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** A stable name of the reason, such as `NotFoundException`, or the OAuth error of a rejected token. Empty if there is none. */
  readonly exception: string;

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The body of the response: parsed JSON, or text. */
    readonly body: unknown,
  ) {
    const { exception, message, error, error_description: description } = (body ?? {}) as ErrorBody;
    super(message ?? description ?? error ?? `status ${status}`);
    this.exception = exception ?? error ?? '';
  }
}

/** The processing of a content has failed. `message` is the reason for its owner. */
export class ContentFailedError extends Error {
  override readonly name = 'ContentFailedError';
}

/** The data of a response, or an ApiError: `const item = dataOf(await video.api.GET(...))`. */
export function dataOf<Data>(result: {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}): Exclude<Data, undefined> {
  if (!result.response.ok) throw new ApiError(result.response.status, result.error);
  return result.data as Exclude<Data, undefined>;
}

/** The error of a response whose body was not read yet. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON: the response is from a proxy.
  }
  return new ApiError(response.status, body);
}
