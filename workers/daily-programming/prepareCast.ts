import { prepareCast, type PreparationPayload } from '../../shared/cast/cast.jobs.js';
import {
  claimNext,
  completePreparation,
  failPreparation,
  isPreparationWaiting,
  isResult,
  preparedFolder,
  releasePreparation,
  renewPreparation,
  type Claimed,
  type PreparedFiles,
  type PreparedKind,
} from '../../shared/cast/preparation.lifecycle.js';
import { NotFoundError } from '../../shared/platform/errors.js';
import { isPoison, isReturned } from '../runtime/attempts.js';
import { DamagedMediaError } from '../../shared/media/mp4/index.js';
import { HeldElsewhereError, LeaseLostError, newLeaseOwner, underLease } from '../../shared/platform/lease/index.js';
import { isMediaFailure } from '../media/index.js';
import { withTemporaryFolder } from '../runtime/temporaryFolders.js';
import type { JobRun } from '../runtime/jobTypes.js';
import type { WorkerContext } from '../runtime/workerContext.js';
import { makeCut } from './cut.js';
import { PreparationFault, type PreparationWork } from './preparationWork.js';
import { CoalescedWork } from './coalescedWork.js';
import { makeSlate } from './slate.js';

type Run = JobRun<PreparationPayload>;

/** Below live encoders (0), which cannot wait, and above the encoding of videos (15): a program may begin soon. */
const niceness = 5;
/** After this time, a job queues its successor and ends, so that another worker can continue. */
const maxMilliseconds = 5 * 60_000;

/** Each process encodes one cut or slate at a time. */
const workOf = new WeakMap<WorkerContext, CoalescedWork>();

/** `cast.prepare`: encodes the waiting cuts and slates, one at a time. Idempotent; each is encoded under its own lease. */
export async function prepareCastHandler(run: Run): Promise<unknown> {
  const coalesced = workOf.get(run.ctx) ?? new CoalescedWork();
  workOf.set(run.ctx, coalesced);
  let made = 0;
  const until = performance.now() + maxMilliseconds;
  const hasRun = await coalesced.run(async () => {
    while (performance.now() < until && (await makeNext(run, made))) made += 1;
  });
  if (!hasRun) return { skipped: 'another job of this process prepares them' };
  if (performance.now() >= until)
    await run.ctx.db.transaction((tx) => run.ctx.outbox.add(tx, prepareCast, run.payload));
  else if (await isPreparationWaiting(run.ctx, run.payload.id))
    throw new HeldElsewhereError('another worker prepares it');
  return { made };
}

/** Resolves with false if none is waiting. Slates and cuts alternate, so that many of one kind do not delay the other. */
async function makeNext(run: Run, prepared: number): Promise<boolean> {
  run.signal.throwIfAborted();
  const leaseOwner = newLeaseOwner();
  const slate = async (): Promise<boolean> => {
    const claimed = await claimNext(run.ctx, 'slate', leaseOwner);
    if (claimed) await make(run, claimed, (work) => makeSlate(work, claimed.row));
    return claimed !== null;
  };
  const cut = async (): Promise<boolean> => {
    const claimed = await claimNext(run.ctx, 'cut', leaseOwner);
    if (claimed) await make(run, claimed, (work) => makeCut(work, claimed.row));
    return claimed !== null;
  };
  return prepared % 2 === 0 ? (await slate()) || cut() : (await cut()) || slate();
}

/** Throws only if a further attempt may succeed. */
async function make(
  run: Run,
  claimed: Claimed<PreparedKind>,
  work: (work: PreparationWork) => Promise<PreparedFiles>,
): Promise<void> {
  const { ctx, log } = run;
  const { kind, row } = claimed;
  const { id, attempt } = row;
  const storageFolder = preparedFolder(row);
  try {
    if (isPoison(row)) throw new PreparationFault(`preparation has begun ${attempt} times`);
    if (attempt > 1) await ctx.storage.removeAll(preparedFolder({ folder: claimed.abandonedFolder }));
    const files = await underLease(
      run,
      () => renewPreparation(ctx, claimed),
      (signal) =>
        withTemporaryFolder(ctx.config, (folder) =>
          work({
            ctx,
            folder,
            storageFolder,
            run: { signal, niceness },
          }),
        ),
    );
    if (!(await completePreparation(ctx, claimed, files)))
      throw new LeaseLostError('the lease was lost before the result was written');
    log.info({ kind, id }, `${kind} stored`);
  } catch (error) {
    await removeFiles(run, claimed);
    await afterFailure(run, claimed, error as Error);
  }
}

/** Removes the files of a failed attempt. If that fails, a sweep removes them later. */
async function removeFiles({ ctx, log }: Run, claimed: Claimed<PreparedKind>): Promise<void> {
  try {
    if (!(await isResult(ctx, claimed))) await ctx.storage.removeAll(preparedFolder(claimed.row));
  } catch (error) {
    log.warn({ err: error, id: claimed.row.id }, 'files of a failed attempt not removed');
  }
}

async function afterFailure(run: Run, claimed: Claimed<PreparedKind>, error: Error): Promise<void> {
  const { ctx, log } = run;
  const { kind, row } = claimed;
  const detail = error.message.slice(0, 2_000);
  if (isPermanent(error)) {
    await failPreparation(ctx, claimed, detail);
    log.warn({ kind, id: row.id, detail }, `${kind} failed`);
    return;
  }
  await releasePreparation(ctx, claimed, { detail, returned: isReturned(run, error) });
  throw error;
}

function isPermanent(error: Error): boolean {
  return (
    error instanceof PreparationFault ||
    error instanceof NotFoundError ||
    error instanceof DamagedMediaError ||
    isMediaFailure(error)
  );
}
