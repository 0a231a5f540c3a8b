import { randomUUID } from 'node:crypto';
import { claimNext, completePreparation } from '../../../shared/cast/preparation.lifecycle.js';
import type { ProcessContext } from '../../../shared/platform/processContext.js';
import { prepareCastHandler } from '../../../workers/daily-programming/prepareCast.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';

/** Prepares all waiting cuts and slates as the job does, without a queue. Rejects as the job does. */
export async function prepareAll(ctx: ProcessContext): Promise<unknown> {
  return prepareCastHandler({
    ctx: createWorkerContext(ctx),
    log: ctx.log,
    payload: { id: randomUUID() },
    signal: new AbortController().signal,
    attempt: 1,
    isLastAttempt: false,
    reportProgress: () => {},
  });
}

/** Sets all waiting slates to READY without files, for tests that do not read them. Resolves with their number. */
export async function pretendSlates(ctx: ProcessContext): Promise<number> {
  const rendition = { name: '720p', map: 'init.mp4', files: [] };
  for (let made = 0; ; made += 1) {
    const claimed = await claimNext(ctx, 'slate', randomUUID());
    if (!claimed) return made;
    await completePreparation(ctx, claimed, { renditions: [rendition] });
  }
}
