import type { Readable } from 'node:stream';
import type { Context } from '../../shared/platform/context.js';
import type { Logger } from '../../shared/platform/log.js';

/** What an encoder publishes: an FLV stream that arrives, or an address that an external server offers. */
export type RunSource =
  | { readonly kind: 'flv'; readonly stream: Readable }
  | { readonly kind: 'url'; readonly url: string };

export interface PackageOptions {
  readonly ctx: Context;
  readonly log: Logger;
  readonly source: RunSource;
  readonly run: {
    readonly runId: string;
    readonly sessionId: string;
    readonly folder: string;
    readonly leaseOwner: string;
  };
  readonly signal: AbortSignal;
  readonly onMedia?: (at: Date) => void;
  readonly onShed?: (shed: { readonly name: string; readonly remaining: readonly string[] }) => void;
}

/** Reads what an encoder publishes, until its source ends. Nothing is packaged yet. */
export async function packageRun({ source, signal }: PackageOptions): Promise<{ reason: string }> {
  if (source.kind === 'url' || signal.aborted) return { reason: 'source not read' };
  for await (const block of source.stream) if (signal.aborted && block) break;
  return { reason: 'source ended' };
}
