import type { Logger } from '../log.js';

/** Operations that some object stores lack, and the consequence of each lack. */
const consequences = {
  ListMultipartUploads: 'interrupted uploads stay in the bucket: give it a lifecycle rule that aborts them',
  DeleteObjects: 'files are removed one at a time',
  CopyObject: 'files are copied through this process',
  UploadPartCopy: 'files uploaded in pieces are joined through this process',
} as const;

/** Remembers which operations a store lacks. */
export class OptionalOperations {
  readonly #missing = new Set<keyof typeof consequences>();

  constructor(private readonly log: Pick<Logger, 'warn'>) {}

  /** Whether the store is known to lack the operation. */
  isMissing(operation: keyof typeof consequences): boolean {
    return this.#missing.has(operation);
  }

  /** Calls `use`, or `otherwise` if the store lacks the operation. The lack is logged once and remembered. */
  async run<Result>(
    operation: keyof typeof consequences,
    use: () => Promise<Result>,
    otherwise: () => Promise<Result>,
  ): Promise<Result> {
    if (this.#missing.has(operation)) return otherwise();
    try {
      return await use();
    } catch (error) {
      if (!isUnsupported(error)) throw error;
      if (!this.#missing.has(operation))
        this.log.warn(
          { operation, detail: (error as Error).message },
          `not supported by the object store: ${consequences[operation]}`,
        );
      this.#missing.add(operation);
      return otherwise();
    }
  }
}

function isUnsupported(error: unknown): boolean {
  const { name, $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  return (
    ['NotImplemented', 'MethodNotAllowed'].includes(name ?? '') || [405, 501].includes($metadata?.httpStatusCode ?? 0)
  );
}
