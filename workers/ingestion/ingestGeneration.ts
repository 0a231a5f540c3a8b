import { randomUUID } from 'node:crypto';
import { LeaseLostError } from '../../shared/platform/lease/index.js';
import { countedAttempts } from '../runtime/attempts.js';
import { commitCopied, type Copied } from './commitCopied.js';
import { commitPlan } from './commitPlan.js';
import { copySource } from './copy/copySource.js';
import { discardCopiedFiles } from './discardCopiedFiles.js';
import type { NotCopied } from './copy/copyRefusal.js';
import type { IngestionAttempt } from './ingestionAttempt.js';
import type { ProbedSource } from '../media/index.js';
import { prepareSource, type Prepared } from './prepareSource.js';
import { copyRecording } from './recorded/copyRecording.js';

/*
 * The states of one ingestion attempt, in order. Diagram: docs/decisions/uploads.md#attempt. Each step returns the next state. Rows
 * are committed in COPIED and PREPARED, in one transaction each, which also ends the lease. An earlier crash leaves files, which
 * the next attempt does not use, and growing playlists, which it replaces.
 */

/** Maximum of copy attempts without a result; the content is then encoded. */
const maxCopyAttempts = 3;

type AttemptState =
  /** Segments are created without encoding, from the source or from the segments of a live event. */
  | { readonly name: 'COPYING' }
  /** All files are stored, but only the owner can watch them yet. */
  | { readonly name: 'COPIED'; readonly copied: Copied }
  /** The stored files of the copy are removed. */
  | { readonly name: 'REFUSED'; readonly why: NotCopied }
  /** The source is read, and its encoding is planned. */
  | { readonly name: 'PREPARING'; readonly description?: ProbedSource | undefined }
  | { readonly name: 'PREPARED'; readonly prepared: Prepared }
  | { readonly name: 'ENDED'; readonly result: object };

/** Ingests the newest generation of a content. Throws LeaseLostError, MediaFault and temporary errors. */
export async function ingestGeneration(attempt: IngestionAttempt): Promise<object> {
  const { content } = attempt;
  let state: AttemptState = { name: content.quick && content.sourceBytes > 0 ? 'COPYING' : 'PREPARING' };
  while (state.name !== 'ENDED') state = await next(attempt, state);
  return state.result;
}

async function next(attempt: IngestionAttempt, state: Exclude<AttemptState, { name: 'ENDED' }>): Promise<AttemptState> {
  const { run, content, leaseOwner, folder, signal } = attempt;
  const { ctx } = run;
  switch (state.name) {
    case 'COPYING': {
      const copied = await copy(attempt);
      return 'refusal' in copied ? { name: 'REFUSED', why: copied } : { name: 'COPIED', copied };
    }
    case 'COPIED':
      if (!(await commitCopied(ctx, content, leaseOwner, state.copied)))
        throw new LeaseLostError('the lease was lost before the copy was committed');
      return { name: 'ENDED', result: { copied: state.copied.chunks.length } };
    case 'REFUSED': {
      const { description, ...why } = state.why;
      // A lost live segment is logged for operators; a source that cannot be copied is usual.
      run.log[why.refusal === 'segments' ? 'warn' : 'info'](
        { contentId: content.id, contentAttempt: content.attempt, ...why },
        'source not copied',
      );
      await discardCopiedFiles(ctx, content, leaseOwner);
      return { name: 'PREPARING', description };
    }
    case 'PREPARING':
      attempt.onPreparing();
      return {
        name: 'PREPARED',
        prepared: await prepareSource(run, content, { folder, signal, attemptId: randomUUID() }, state.description),
      };
    case 'PREPARED':
      if (!(await commitPlan(ctx, content, leaseOwner, state.prepared)))
        throw new LeaseLostError('the lease was lost before the plan was written');
      return { name: 'ENDED', result: { chunks: state.prepared.plan.chunkCount } };
  }
}

async function copy(attempt: IngestionAttempt): Promise<Copied | NotCopied> {
  const { content } = attempt;
  if (countedAttempts(content) > maxCopyAttempts) return { refusal: 'attempts' };
  return content.recorded ? copyRecording(attempt) : copySource(attempt);
}
