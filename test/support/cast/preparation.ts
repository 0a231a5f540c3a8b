import { randomUUID } from 'node:crypto';
import { claimNext, completePreparation } from '../../../shared/cast/preparation.lifecycle.js';
import type { ProcessContext } from '../../../shared/platform/processContext.js';
import { prepareCastHandler } from '../../../workers/daily-programming/prepareCast.js';
import { createWorkerContext } from '../../../workers/runtime/workerContext.js';

/** Makes all cuts and slates that wait, as the job does, without a queue. Rejects as the job does. */
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

/** Makes all slates that wait READY without files, for tests that do not look at them. Resolves with their number. */
export async function pretendSlates(ctx: ProcessContext): Promise<number> {
  const rendition = { name: '720p', map: 'init.mp4', files: [] };
  for (let made = 0; ; made += 1) {
    const claimed = await claimNext(ctx, 'slate', randomUUID());
    if (!claimed) return made;
    await completePreparation(ctx, claimed, { renditions: [rendition] });
  }
}
