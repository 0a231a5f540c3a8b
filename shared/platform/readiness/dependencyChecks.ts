import type { Config } from '../config.js';
import type { ProcessContext } from '../processContext.js';
import type { Database } from '../database/database.js';
import { isMigrated } from '../database/schemaState.js';
import type { OpenMailer } from '../mail/mail.js';
import { freeBytesOf } from '../storage/freeSpace.js';
import { checkWorkFolder } from '../storage/workFolder.js';
import type { DependencyName, DependencyCheck } from './readiness.js';
import { lowDiskSpace, notMigrated, searchSilent } from './reason.js';
import { usedFolders } from './usedFolders.js';

type UsedDependencies = Pick<ProcessContext, 'config' | 'db' | 'queues' | 'search' | 'storage'> & {
  readonly mailer: OpenMailer;
};

/** The dependencies of each kind of process. A clock has its own context and uses `checkDatabase`. */
const dependenciesOf: Readonly<Record<Config['process'], readonly DependencyName[]>> = {
  web: ['database', 'queue', 'search', 'storage'],
  worker: ['database', 'queue', 'search', 'storage', 'work', 'mail'],
  live: ['database', 'storage'],
  clock: ['database'],
  script: [],
};

export function dependencyChecks(opened: UsedDependencies): Partial<Record<DependencyName, DependencyCheck>> {
  const { config, db, queues, search, storage, mailer } = opened;
  const checks: Record<DependencyName, DependencyCheck> = {
    database: checkDatabase(db),
    queue: () => queues.check(),
    async search() {
      const { ok, engine } = await search.health();
      // Rejects with the database's error if the database is unreachable.
      if (!ok && engine === 'postgres') await isMigrated(db);
      return ok ? null : searchSilent;
    },
    async storage() {
      await storage.check();
      return checkSpace(config, 'storage');
    },
    async work() {
      await checkWorkFolder(config);
      return checkSpace(config, 'work');
    },
    mail: () => mailer.check(),
  };
  return Object.fromEntries(dependenciesOf[config.process].map((dependency) => [dependency, checks[dependency]]));
}

export function checkDatabase(db: Database): DependencyCheck {
  return async () => ((await isMigrated(db)) ? null : notMigrated);
}

async function checkSpace(config: Config, name: 'storage' | 'work'): Promise<string | null> {
  const folder = usedFolders(config)[name];
  if (folder === undefined || config.storageMinFreeBytes === 0) return null;
  return (await freeBytesOf(folder)) < config.storageMinFreeBytes ? lowDiskSpace : null;
}
