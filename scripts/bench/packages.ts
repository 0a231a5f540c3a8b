import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withErrorListener } from '../../shared/platform/errorListener.js';
import type { BenchContext } from './benchContext.js';
import { NotMeasured } from './figure.js';

/** The members of a package.json that say what is installed. */
export interface Packages {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly overrides?: Readonly<Record<string, string>>;
}

/**
 * Installs packages that only the bench needs into a temporary folder, which it resolves with.
 *
 * @throws NotMeasured where they cannot be installed.
 */
export async function installPackages(bench: BenchContext, packages: Packages): Promise<string> {
  const names = Object.keys(packages.dependencies).join(', ');
  bench.say(`Installing ${names} ...`);
  const folder = await bench.folder();
  await writeFile(join(folder, 'package.json'), JSON.stringify(packages));
  const options = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error'];
  const child = withErrorListener(spawn('npm', options, { cwd: folder, stdio: 'ignore' }));
  const [code] = (await once(child, 'close').catch(() => [1])) as [number | null];
  if (code !== 0) throw new NotMeasured(`${names} cannot be installed from npm`);
  return folder;
}
