import { expect } from 'chai';
import { ChunkRecord } from '../../../shared/content/chunk.model.js';
import { Content } from '../../../shared/content/content.model.js';
import { ShutdownError } from '../../../workers/runtime/jobTypes.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';
import { transcodeChunkHandler } from '../../../workers/transcoding/transcodeChunk.js';
import { openTestContext } from '../../support/context.js';
import { plannedChunk } from '../../support/plannedChunk.js';
import { rejection } from '../../support/rejection.js';
import { given } from '../../support/given.js';

describe('a chunk', () => {
  const ctx = given(openTestContext);
  const payload = given(() => plannedChunk(ctx));

  /** An attempt whose encoder ends with this error. */
  const endingWith = (error: Error, signal = new AbortController().signal): Promise<unknown> =>
    transcodeChunkHandler(
      {
        ...{ ctx: createWorkerContext(ctx), log: ctx.log, payload, signal },
        ...{ attempt: 1, isLastAttempt: false, reportProgress: () => {} },
      },
      async () => {
        throw error;
      },
    );
  const stateOf = async (): Promise<string | undefined> =>
    (await ctx.db.model(Content).findByPk(payload.contentId))?.state;

  it('waits again after outages and restarts of any number, and fails after twelve other attempts', async () => {
    const away = Object.assign(new Error('the store is away'), { code: 'ECONNREFUSED' });
    for (let attempt = 1; attempt <= 13; attempt += 1) expect(await rejection(endingWith(away))).to.equal(away);
    const stopped = new ShutdownError('the process ends');
    expect(await rejection(endingWith(away, AbortSignal.abort(stopped)))).to.equal(stopped);
    const other = new Error('a fault of this program');
    for (let attempt = 1; attempt <= 12; attempt += 1) expect(await rejection(endingWith(other))).to.equal(other);

    const { contentId, generation, chunk: position } = payload;
    const row = await ctx.db.model(ChunkRecord).findOne({ where: { contentId, generation, position } });
    expect(row).to.include({ state: 'PENDING', attempt: 26, returns: 14, failures: 0 });
    expect(await stateOf()).to.equal('PENDING');
    expect(await endingWith(other)).to.include({ failed: 'content.failure.internal' });
    expect(await stateOf()).to.equal('FAILED');
  });
});
