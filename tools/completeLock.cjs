/*
 * `npm run lock`, to be run after every `npm install`: adds the packages for other platforms to package-lock.json. npm leaves them
 * out if the registry in use does not have them, and `npm ci` then rejects the file on every platform. The entries are derived from
 * the names and exact versions that their parents declare, so that no registry is queried.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { resolve } = require('node:path');

const path = resolve(__dirname, '..', 'package-lock.json');
const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32'];
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64'];

function entryFor(name, version, parent) {
  const words = name.replace(/^.*\//, '').split('-');
  const libc = words.some((word) => word.startsWith('musl'))
    ? 'musl'
    : words.some((word) => word.startsWith('gnu'))
      ? 'glibc'
      : null;
  const cpu = words.filter((word) => processors.includes(word));
  const os = words.filter((word) => systems.includes(word));
  if (cpu.length !== 1 || os.length > 1) throw new Error(`${name} does not contain its platform in its name.`);
  return {
    version,
    cpu,
    ...(parent.dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    optional: true,
    ...(os.length > 0 ? { os } : {}),
  };
}

const lock = JSON.parse(readFileSync(path, 'utf8'));
const added = {};
for (const parent of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(parent.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (!(key in lock.packages) && /^\d+\.\d+\.\d+/.test(version)) added[key] = entryFor(name, version, parent);
  }
}
const all = { ...lock.packages, ...added };
lock.packages = Object.fromEntries(
  Object.keys(all)
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((key) => [key, all[key]]),
);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
console.log(`${Object.keys(added).length} packages of other platforms added.`);
