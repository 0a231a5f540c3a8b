/** The body of an error of the service, as far as the client reads it. */
interface ErrorBody {
  readonly exception?: string;
  readonly message?: string;
  readonly error?: string;
  readonly error_description?: string;
}

/** The service has refused a request. `message` is its sentence for people, in the language of the client. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** A stable name of the reason, such as `NotFoundException`; of a refused token its OAuth error. Empty where there is none. */
  readonly exception: string;

  constructor(
    /** The HTTP status. */
    readonly status: number,
    /** The body of the response, as it was read. */
    readonly body: unknown,
  ) {
    const { exception, message, error, error_description: description } = (body ?? {}) as ErrorBody;
    super(message ?? description ?? error ?? `status ${status}`);
    this.exception = exception ?? error ?? '';
  }
}

/** A content could not be made. `message` is the reason for its owner. */
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

/** The error of a response whose body is not read yet. */
export async function errorOf(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  let body: unknown = text;
  try {
    body = JSON.parse(text);
  } catch {
    // A proxy has answered.
  }
  return new ApiError(response.status, body);
}
