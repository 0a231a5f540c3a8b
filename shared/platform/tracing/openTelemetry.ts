import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Context } from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base';
import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { processNameOf } from '../processName.js';
import type { Tracing } from './tracing.js';

const kinds = { server: SpanKind.SERVER, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL } as const;
/** Minimum interval between log lines about an unreachable receiver. */
const reportEveryMs = 60_000;
const closeMs = 3_000;

/**
 * Sends spans to an OpenTelemetry receiver via OTLP over HTTP, in batches and in the background. An unreachable receiver delays
 * nothing: spans that do not fit into the queue are dropped.
 */
export function openTelemetry(config: Config, settings: NonNullable<Config['tracing']>, log: Logger): Tracing {
  const exporter = reporting(new OTLPTraceExporter({ url: `${settings.endpoint}/v1/traces` }), log);
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({
      'service.name': settings.serviceName,
      'video_platform.process': processNameOf(config),
    }),
    spanProcessors: [new BatchSpanProcessor(exporter)],
  });
  const tracer = provider.getTracer('video-platform');
  const present = new AsyncLocalStorage<Context>();
  return {
    begin(name, { kind, attributes = {}, parent }) {
      const outer = contextOf(parent) ?? present.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { kind: kinds[kind], attributes }, outer);
      const inner = trace.setSpan(outer, span);
      return {
        run: (work) => present.run(inner, work),
        end(end = {}) {
          if (end.name !== undefined) span.updateName(end.name);
          if (end.attributes) span.setAttributes(end.attributes);
          if (end.hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end();
        },
      };
    },
    current() {
      const outer = present.getStore();
      const span = outer && trace.getSpanContext(outer);
      return span ? `00-${span.traceId}-${span.spanId}-0${span.traceFlags}` : null;
    },
    async close() {
      const giveUp = new Promise<void>((resolve) => void setTimeout(resolve, closeMs).unref());
      await Promise.race([provider.shutdown().catch(() => {}), giveUp]);
    },
  };
}

/** Undefined if the text is not a valid `traceparent`. */
function contextOf(traceparent: string | undefined): Context | undefined {
  const span = traceparent === undefined ? null : parseTraceParent(traceparent);
  return span ? trace.setSpanContext(ROOT_CONTEXT, { ...span, isRemote: true }) : undefined;
}

/** Logs when the receiver did not accept spans. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  let reportedAt = Number.NEGATIVE_INFINITY;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && performance.now() - reportedAt >= reportEveryMs) {
          reportedAt = performance.now();
          log.warn({ err: result.error, spans: spans.length }, 'traces are not received');
        }
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}
