/** Names and values are of our own code: no token, title, path or address of a caller is one. */
type Attributes = Readonly<Record<string, string | number>>;

interface SpanOptions {
  readonly kind: 'server' | 'consumer' | 'internal';
  readonly attributes?: Attributes;
  /** The span that this one belongs to, as `current` has named it. Absent: the one that this code runs in, if there is one. */
  readonly parent?: string | undefined;
}

interface SpanEnd {
  /** Where it was not known at the beginning. */
  readonly name?: string;
  readonly attributes?: Attributes;
  readonly hasFailed?: boolean;
}

/** A part of a trace that is in progress. */
export interface Span {
  /** What begins in `work` belongs to this span. */
  run<Result>(work: () => Result): Result;
  end(end?: SpanEnd): void;
}

/** Traces of requests and jobs; `docs/operate.md#traces`. */
export interface Tracing {
  begin(name: string, options: SpanOptions): Span;
  /** The span that this code runs in, as a `traceparent` of W3C Trace Context; null outside of any. */
  current(): string | null;
  /** Sends what has ended. */
  close(): Promise<void>;
}
