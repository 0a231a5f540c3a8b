import { openAsBlob } from 'node:fs';
import { json } from 'node:stream/consumers';
import { expect } from 'chai';
import { registerUser } from '../support/api.js';
import { openDeployment, untilSettled, uploadClip, type TestDeployment } from '../support/deployment.js';
import { eventually } from '../support/eventually.js';
import { makeVideo } from '../support/media.js';
import { startLoopbackServer, type LoopbackServer } from '../support/loopbackServer.js';

/** A span in OTLP's JSON format. */
interface ReceivedSpan {
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

/** An OpenTelemetry receiver that stores all spans. */
interface TraceReceiver extends LoopbackServer {
  readonly spans: ReceivedSpan[];
}

async function startTraceReceiver(): Promise<TraceReceiver> {
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

describe('the traces of built processes', function () {
  this.timeout(120_000);
  let receiver: TraceReceiver;
  let deployment: TestDeployment;

  before(async () => {
    receiver = await startTraceReceiver();
    deployment = await openDeployment();
    const tracing = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '100' };
    await Promise.all([deployment.start('web', tracing), deployment.start('worker', tracing)]);
  });
  after(async () => {
    await deployment?.close();
    await receiver?.close();
  });

  it('show an upload from its request to READY, with its jobs and tools but no data of its owner', async () => {
    const { api } = deployment;
    const { token, userId } = await registerUser(api);
    const { boxId, contentId } = await uploadClip(api, token, await openAsBlob(await makeVideo()), 'A secret title');
    expect(await untilSettled(api, token, boxId, 100_000)).to.equal('READY');
    const traced = await eventually(() => {
      const request = receiver.spans.find(({ name }) => name === 'POST /api/box') ?? expect.fail('no request');
      const trace = receiver.spans.filter(({ traceId }) => traceId === request.traceId);
      for (const name of ['content.ingest', 'ffmpeg', 'ffprobe'])
        expect(trace.map((span) => span.name)).to.include(name);
      expect(trace.map((span) => ancestorsOf(span, trace).at(-1)?.spanId)).to.deep.equal(
        trace.map(() => request.spanId),
      );
      return { request, trace };
    });
    const tools = traced.trace.filter(({ name }) => name === 'ffmpeg' || name === 'ffprobe');
    const jobs = tools.map((tool) => ancestorsOf(tool, traced.trace)[1]?.name);
    expect(
      jobs.filter((name) => !name?.includes('.')),
      'tools outside of jobs',
    ).to.deep.equal([]);
    expect(traced.trace.filter(({ status }) => (status.code ?? 0) !== 0)).to.deep.equal([]);
    const attributes = JSON.stringify(receiver.spans.map((span) => [span.name, span.attributes]));
    for (const secret of [token, userId, boxId, contentId, 'secret title', 'clip.mp4', '127.0.0.1'])
      expect(attributes).not.to.include(secret);
  });

  it('ignore the trace context of a caller', async () => {
    const traceId = 'f'.repeat(31) + '1';
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    expect((await deployment.api.call('GET', '/readyz', { headers })).status).to.equal(200);
    await eventually(() => expect(receiver.spans.map(({ name }) => name)).to.include('GET /readyz'));
    expect(receiver.spans.map((span) => span.traceId)).not.to.include(traceId);
  });
});

/** The span and its ancestors. */
function ancestorsOf(span: ReceivedSpan, trace: readonly ReceivedSpan[]): ReceivedSpan[] {
  const parent = trace.find(({ spanId }) => spanId === span.parentSpanId);
  return [span, ...(parent ? ancestorsOf(parent, trace) : [])];
}
