import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The queue on PostgreSQL that ours is compared with; newer releases need a newer Node than this project. */
export const graphilePackages = { dependencies: { 'graphile-worker': '0.17.3' } };

interface Graphile {
  makeWorkerUtils(options: {
    connectionString: string;
  }): Promise<{ migrate(): Promise<void>; release(): Promise<void> }>;
  run(options: {
    readonly connectionString: string;
    readonly concurrency: number;
    readonly noHandleSignals: boolean;
    readonly taskList: Readonly<Record<string, (payload: { readonly id: string }) => Promise<void>>>;
    readonly logger: unknown;
  }): Promise<{ stop(): Promise<void> }>;
  readonly Logger: new (factory: () => () => void) => unknown;
}

/** graphile-worker as it was installed into a folder. */
export function loadGraphile(folder: string): Graphile {
  return createRequire(join(folder, 'package.json'))('graphile-worker') as Graphile;
}
