/** Names and values come from the code only: never a token, title, path or address of a caller. */
type Attributes = Readonly<Record<string, string | number>>;

interface SpanOptions {
  readonly kind: 'server' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
  /** The parent span, as returned by `current`. Default: the active span, if any. */
  readonly parent?: string | undefined;
}

interface SpanEnd {
  /** The final name, if it was unknown at the start. */
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly hasFailed?: boolean;
}

/** A span in progress. */
export interface Span {
  /** Spans that start within `work` become children of this span. */
  run<Result>(work: () => Result): Result;
  end(end?: SpanEnd): void;
}

/** Traces of requests and jobs; `docs/operate.md#traces`. */
export interface Tracing {
  begin(name: string, options: SpanOptions): Span;
  /** The active span as a W3C Trace Context `traceparent`; null if there is none. */
  current(): string | null;
  /** Sends the remaining ended spans. */
  close(): Promise<void>;
}
