import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Result of claiming work: `claimed` with the work, `heldElsewhere` if another process holds the lease until `until`, or
 * `nothing` if no work remains.
 */
export type Claim<Work> =
  | { readonly outcome: 'claimed'; readonly work: Work }
  | { readonly outcome: 'heldElsewhere'; readonly until: Date }
  | { readonly outcome: 'nothing' };

/**
 * Another worker holds the lease of the job's work. The job is put back without counting an attempt: if that worker finishes,
 * the job finds no work; if that worker dies, the job does the work.
 */
export class HeldElsewhereError extends Error {
  override readonly name: string = 'HeldElsewhereError';
}

const pollMs = 500;

/**
 * Claims work. If another worker holds the lease, waits until it ends: that worker was probably killed, and the queue has
 * returned its job before the end of the lease. Throws HeldElsewhereError if the worker renews the lease. Null: no work remains.
 */
export async function claimWork<Work>(
  { signal }: { readonly signal: AbortSignal },
  claim: () => Promise<Claim<Work>>,
): Promise<Work | null> {
  let waitedFor: number | undefined;
  for (;;) {
    const claimed = await claim();
    if (claimed.outcome === 'claimed') return claimed.work;
    if (claimed.outcome === 'nothing') return null;
    const until = claimed.until.getTime();
    if (waitedFor !== undefined && until > waitedFor) throw new HeldElsewhereError('another worker renews the lease');
    waitedFor = until;
    await sleep(pollMs, undefined, { signal });
  }
}
