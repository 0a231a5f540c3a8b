import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Caption } from '../../shared/caption/caption.model.js';
import { TranscriptPiece } from '../../shared/caption/transcriptPiece.model.js';
import { PermanentJobError } from '../../workers/runtime/jobTypes.js';
import { transcribedPieceSeconds, transcriptionSeconds } from '../../workers/transcription/serverTranscript.js';
import { transcribeContentHandler, transcriptionExhausted } from '../../workers/transcription/transcribeContent.js';
import type { OpenContext } from '../../shared/openContext.js';
import { openTestContext } from '../support/context.js';
import { eventually } from '../support/eventually.js';
import { useFixture } from '../support/fixtures.js';
import { detectTones } from './transcriber.js';
import { startLoopbackServer } from '../support/loopbackServer.js';
import { makeClip, settledContent, uploadClip } from '../support/media.js';
import { makeUser } from '../support/users.js';
import { jobRunOf, startWorkers } from '../support/workers.js';

const contentQueues = ['ingestion', 'transcoding', 'transcoding-status'] as const;
const program = fileURLToPath(new URL('./transcriber.js', import.meta.url));

/** A low tone from 1 s to 2 s, a high one from 3 s to 4.5 s. */
const speech = (start: readonly string[] = []): Promise<string> =>
  makeClip('mkv', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=6'],
    ...['-f', 'lavfi', '-i', "aevalsrc='0.5*between(t,1,2)*sin(2*PI*300*t)+0.5*between(t,3,4.5)*sin(2*PI*1200*t)':d=6"],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-g', '20', '-c:a', 'aac', ...start],
  ]);
const silence = (): Promise<string> =>
  makeClip('mp4', [
    ...['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=10:d=2', '-f', 'lavfi', '-i', 'anullsrc=d=2', '-shortest'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac'],
  ]);

async function transcribed(
  ctx: OpenContext,
  path: string,
): Promise<{ readonly id: string; readonly run: () => Promise<unknown> }> {
  const { id: ownerId } = await makeUser(ctx);
  const id = await uploadClip(ctx, ownerId, path);
  await eventually(() => settledContent(ctx, id), { timeoutMs: 30_000 });
  return { id, run: () => transcribeContentHandler(jobRunOf(ctx, { contentId: id })) };
}

const captionsOf = (ctx: OpenContext, contentId: string) => ctx.db.model(Caption).findAll({ where: { contentId } });

function expectHeard(captions: readonly Caption[]): void {
  expect(captions).to.have.lengthOf(1);
  const [caption] = captions;
  expect(caption).to.include({ language: 'en', label: 'English', kind: 'captions', origin: 'AUTOMATIC' });
  expect(caption?.cues.map(({ text }) => text)).to.deep.equal(['low', 'high']);
  for (const [index, [start, end]] of [
    [1000, 2000],
    [3000, 4500],
  ].entries()) {
    expect(caption?.cues[index]?.startMs).to.be.closeTo(start ?? 0, 110);
    expect(caption?.cues[index]?.endMs).to.be.closeTo(end ?? 0, 110);
  }
}

describe('Automatic captions by a program', () => {
  const ctx = useFixture(() =>
    openTestContext({ QUICK_GENERATION: 'true', TRANSCRIBE_COMMAND: `${process.execPath} ${program}` }),
  );
  useFixture(() => startWorkers(ctx, { queues: [...contentQueues, 'transcription'] }));

  it('are added automatically at the times of the content', async () => {
    for (const path of [await speech(), await speech(['-output_ts_offset', '3'])]) {
      const { id } = await transcribed(ctx, path);
      const captions = await eventually(
        async () => {
          const rows = await captionsOf(ctx, id);
          expect(rows).to.have.lengthOf(1);
          return rows;
        },
        { timeoutMs: 20_000 },
      );
      expectHeard(captions);
    }
  });

  it('are not added if there is no speech', async () => {
    const { id, run } = await transcribed(ctx, await silence());
    expect(await run()).to.deep.equal({ skipped: 'no speech' });
    expect(await captionsOf(ctx, id)).to.deep.equal([]);
  });
});

const failingPrograms = [
  { name: 'that fails', command: '/bin/false', message: /^\/bin\/false ended with 1/, isPermanent: false },
  {
    name: 'that writes without end',
    command: '/bin/sh -c yes>{output}',
    message: /wrote more than/,
    isPermanent: true,
  },
];
for (const { name, command, message, isPermanent } of failingPrograms)
  describe(`Automatic captions by a program ${name}`, () => {
    const ctx = useFixture(() => openTestContext({ QUICK_GENERATION: 'true', TRANSCRIBE_COMMAND: command }));
    useFixture(() => startWorkers(ctx, { queues: contentQueues }));

    it('are not added, and the content plays', async () => {
      const { id, run } = await transcribed(ctx, await silence());
      const failure = await run().catch((error: unknown) => error);
      expect(failure).to.have.property('message').that.matches(message);
      expect(failure instanceof PermanentJobError).to.equal(isPermanent);
      expect(await captionsOf(ctx, id)).to.deep.equal([]);
      expect((await settledContent(ctx, id)).state).to.equal('READY');
    });
  });

describe('Automatic captions by a server', () => {
  /** The requests of the server and its response. */
  const asked: { readonly authorization: string | undefined; readonly form: FormData }[] = [];
  let respond: (wav: Buffer) => { readonly status: number; readonly body: object };
  const heard = (wav: Buffer) => ({
    status: 200,
    body: {
      language: 'english',
      segments: detectTones(wav).map(({ startSeconds: start, endSeconds: end, word }) => ({
        id: 0,
        start,
        end,
        text: ` ${word}`,
      })),
    },
  });
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const headers = { 'content-type': request.headers['content-type'] ?? '' };
    const form = await new Response(Readable.toWeb(request) as ReadableStream, { headers }).formData();
    asked.push({ authorization: request.headers.authorization, form });
    const { status, body } = respond(Buffer.from(await (form.get('file') as File).arrayBuffer()));
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  const server = useFixture(() => startLoopbackServer((request, response) => void receive(request, response)));
  const ctx = useFixture(() =>
    openTestContext({
      ...{ QUICK_GENERATION: 'true', TRANSCRIBE_KEY: 'a-key', TRANSCRIBE_MODEL: 'a-model' },
      TRANSCRIBE_URL: `${server.url}/v1/audio/transcriptions`,
    }),
  );
  useFixture(() => startWorkers(ctx, { queues: contentQueues }));

  it('are requested with key, model and form, and added', async () => {
    const { id, run } = await transcribed(ctx, await speech());
    respond = () => ({ status: 503, body: { error: 'busy' } });
    const busy = await run().catch((error: unknown) => error as Error);
    expect(busy).to.be.instanceOf(Error).and.not.instanceOf(PermanentJobError);
    respond = () => ({ status: 401, body: { error: 'wrong key' } });
    expect(await run().catch((error: unknown) => error)).to.be.instanceOf(PermanentJobError);
    respond = () => ({ status: 200, body: { text: 'x'.repeat(3 * 1024 ** 2) } });
    const large = await run().catch((error: unknown) => error);
    expect(large).to.be.instanceOf(PermanentJobError).with.property('message').that.includes('sent more than');
    const segments = Array.from({ length: 60_000 }, () => ({ start: 0, end: 1, text: '' }));
    respond = () => ({ status: 200, body: { segments } });
    expect(await run().catch((error: unknown) => error)).to.be.instanceOf(PermanentJobError);
    respond = heard;
    expect(await run()).to.deep.equal({ language: 'en', added: true });
    expectHeard(await captionsOf(ctx, id));
    const { authorization, form } = asked.at(-1) ?? {};
    expect([authorization, form?.get('model'), form?.get('response_format')]).to.deep.equal([
      ...['Bearer a-key', 'a-model', 'verbose_json'],
    ]);
  });
});

describe('Automatic captions by a slow server', function () {
  this.timeout(180_000);
  /** The response to each request; without one, the server does not respond. */
  let responses: ((response: ServerResponse) => void)[] = [];
  let asked = 0;
  const said = (text: string) => (response: ServerResponse) =>
    void response.end(JSON.stringify({ language: 'english', segments: [{ start: 0, end: 1, text }] }));
  const server = useFixture(() =>
    startLoopbackServer((request, response) => {
      const respond = responses[asked];
      asked += 1;
      request.resume().on('end', () => respond?.(response));
    }),
  );
  const ctx = useFixture(() =>
    openTestContext(
      {
        QUICK_GENERATION: 'true',
        TRANSCRIBE_URL: `${server.url}/v1/audio/transcriptions`,
      },
      {
        limits: [
          [transcribedPieceSeconds, 4],
          [transcriptionSeconds, 10],
        ],
      },
    ),
  );
  useFixture(() => startWorkers(ctx, { queues: contentQueues }));
  const begin = async () => {
    asked = 0;
    return transcribed(ctx, await speech());
  };
  const piecesOf = (contentId: string) => ctx.db.model(TranscriptPiece).findAll({ where: { contentId } });

  it('continue after the last transcribed piece', async () => {
    const { id, run } = await begin();
    responses = [said('one'), (response) => void response.writeHead(503).end()];
    expect(await run().catch((error: unknown) => error)).to.match(/responded 503/);
    responses = [...responses, (response) => void response.destroy()];
    expect(await run().catch((error: unknown) => error)).to.be.instanceOf(Error);
    expect(await piecesOf(id)).to.have.lengthOf(1);
    responses = [...responses, said('two')];
    expect(await run()).to.deep.equal({ language: 'en', added: true });
    expect(asked).to.equal(4);
    const [caption] = await captionsOf(ctx, id);
    expect(caption?.cues.map(({ startMs, text }) => [startMs, text])).to.deep.equal([
      [0, 'one'],
      [4000, 'two'],
    ]);
    expect(await piecesOf(id)).to.deep.equal([]);
  });

  it('are removed, as far as they exist, when the attempt is abandoned', async () => {
    const { id, run } = await begin();
    responses = [said('one'), (response) => void response.writeHead(401).end()];
    const error = await run().catch((thrown: unknown) => thrown as Error);
    expect(error).to.be.instanceOf(PermanentJobError);
    await transcriptionExhausted({ ctx, log: ctx.log, payload: { contentId: id }, error: error as Error });
    expect(await piecesOf(id)).to.deep.equal([]);
  });

  it('wait up to the configured timeout, regardless of the timeouts of fetch in Node', async () => {
    const { id, run } = await begin();
    await fetch('data:,');
    const key = Symbol.for('undici.globalDispatcher.1');
    const ofProcess = globalThis as unknown as Record<symbol, { dispatch(options: object, handler: unknown): boolean }>;
    const usual = ofProcess[key];
    if (!usual) throw new Error('fetch has no dispatcher');
    ofProcess[key] = { dispatch: (options, handler) => usual.dispatch({ ...options, headersTimeout: 100 }, handler) };
    try {
      const late = (response: ServerResponse): void => void setTimeout(() => said('late')(response), 3_000);
      responses = [late, said('two')];
      expect(await run()).to.deep.equal({ language: 'en', added: true });
      expect(await captionsOf(ctx, id)).to.have.lengthOf(1);
    } finally {
      ofProcess[key] = usual;
    }
    responses = [];
    const { run: another } = await begin();
    expect(await another().catch((error: unknown) => error)).to.have.property('name', 'TimeoutError');
  });

  it('fail if the server changes the protocol', async () => {
    const { run } = await begin();
    responses = [
      (response) => void response.socket?.write('HTTP/1.1 101 x\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ];
    expect(await run().catch((error: unknown) => error)).to.match(/changed the protocol/);
  });
});
