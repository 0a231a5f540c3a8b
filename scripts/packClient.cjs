/*
 * Packs the compiled client as an npm package, including the packages that it imports: its installation needs no registry.
 * `prepare.cjs` calls this at the end of a build; a running service offers the file at `/client.tgz`.
 */
const { cpSync, readFileSync, renameSync, rmSync } = require('node:fs');
const { join } = require('node:path');
const { runNpm } = require('./runNpm.cjs');

/** Writes `client.tgz` into a build folder. The same sources produce the same bytes. Throws if npm fails; npm prints the reason. */
function packClient(folder) {
  const client = join(folder, 'client');
  const packages = join(client, 'node_modules');
  copyDependencies(client, packages);
  const { status } = runNpm(
    ['pack', client, '--pack-destination', folder, '--ignore-scripts', '--no-update-notifier', '--loglevel=error'],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  rmSync(packages, { recursive: true });
  if (status !== 0) throw new Error('npm cannot pack the client.');
  const { name, version } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
  renameSync(join(folder, `${name}-${version}.tgz`), join(folder, 'client.tgz'));
}

/** Copies all transitive dependencies of a package into one folder. */
function copyDependencies(folder, target) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  for (const name of Object.keys(dependencies)) {
    const source = join('node_modules', name);
    cpSync(source, join(target, name), { recursive: true });
    copyDependencies(source, target);
  }
}

module.exports = { packClient };
