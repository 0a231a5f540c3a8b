import { json } from 'node:stream/consumers';
import { startLoopbackServer, type LoopbackServer } from './loopbackServer.js';

/** A span as OTLP sends it in JSON. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code?: number };
}

interface TraceRequest {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[] }[];
}

/** A receiver of OpenTelemetry that keeps what it gets. */
export interface TraceReceiver extends LoopbackServer {
  readonly spans: ReceivedSpan[];
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  const server = await startLoopbackServer((request, response) => {
    void json(request).then((body) => {
      for (const { scopeSpans } of (body as TraceRequest).resourceSpans)
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { ...server, spans };
}
