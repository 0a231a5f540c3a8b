/*
 * Prepares a checkout (installs the packages of the lock file, builds dist), then runs the command from dist in this process, so
 * that signals need not be forwarded.
 */
const { spawnSync } = require('node:child_process');
const {
  cpSync,
  existsSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require('node:fs');
const { join, resolve } = require('node:path');
const { pathToFileURL } = require('node:url');
const { bundlePages } = require('./bundlePages.cjs');
const { packClient } = require('./packClient.cjs');
const { runNpm } = require('./runNpm.cjs');

const root = resolve(__dirname, '..');
const dist = join(root, 'dist');
const sourceFolders = ['api', 'workers', 'shared', 'scripts', 'tools', 'test', 'client'];
/** npm writes this file at the end of an installation: after an interrupted one it is missing. */
const installStamp = join(root, 'node_modules', '.package-lock.json');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

/** Without DATABASE_URL, these commands use the database of the running `npm start`. */
const onDatabase = (name) => ['scripts/embedded/useRunning', `scripts/${name}`];
/** The files below dist of each command. The last one is the command. */
const commands = {
  start: ['scripts/start'],
  test: ['tools/test'],
  endpoints: ['tools/endpoints'],
  reach: ['tools/reach'],
  docs: ['tools/docs/main'],
  setup: ['scripts/settings/setup'],
  bench: ['tools/bench/main'],
  scale: ['tools/scale/main'],
  fuzz: ['test/fuzz/main'],
  'demo:commerce': ['tools/demo/commerce/main'],
  'demo:cast': ['tools/demo/cast/main'],
  'demo:live': ['tools/demo/live/main'],
  migrate: onDatabase('migrate'),
  plan: onDatabase('plan'),
  reindex: onDatabase('reindex'),
  reprocess: onDatabase('reprocess'),
  reverse: onDatabase('reverse'),
};

const [command, ...parameters] = process.argv.slice(2);
if (command !== 'build' && !commands[command])
  fail(`Usage: node scripts/bootstrap.cjs build|${Object.keys(commands).join('|')}`);
process.chdir(root);
if (needsInstallation()) install();
if (existsSync(compiler)) build();
else if (!existsSync(dist)) fail('Neither dist nor the compiler is present: run npm ci.');
if (command !== 'build') void run(commands[command]);

function needsInstallation() {
  if (!existsSync(installStamp)) return true;
  return statSync(installStamp).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** The install scripts of packages are not needed, and later versions of npm do not run them. Only the command writes to stdout. */
function install() {
  console.error('Installing the packages of package-lock.json (npm ci) ...');
  const options = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  if (runNpm(options, { stdio: ['inherit', process.stderr, 'inherit'] }).status !== 0) fail('npm ci has failed.');
  utimesSync(installStamp, new Date(), new Date());
}

/**
 * Compiles, bundles the scripts of the pages, copies files that are not TypeScript (recordings), and packs the client. The complete
 * result replaces dist, so that files without a source disappear. Does nothing if no source has changed since the last build.
 */
function build() {
  const started = new Date();
  if (existsSync(dist) && lastChange(sourceFolders) < statSync(dist).mtimeMs) return;
  // At the same depth as dist: source maps contain relative paths.
  const next = join(root, `.build-${process.pid}`);
  const options = ['--outDir', next];
  // The second one compiles the client again, with its types, as a package for Node and browsers.
  const compiled = [[], ['-p', 'client']].every(
    (of) => spawnSync(process.execPath, [compiler, ...of, ...options], { stdio: 'inherit' }).status === 0,
  );
  if (!compiled) abandon(next, 'the sources do not compile.');
  const filter = (path) =>
    !/\.(ts|cjs)$/.test(path) && path !== join('api', 'pages', 'embed') && path !== join('client', 'generator');
  for (const folder of sourceFolders) cpSync(folder, join(next, folder), { recursive: true, filter });
  try {
    bundlePages(join(next, 'api/pages/bundles'));
    writeOnce('client.tgz', ['client'], packClient);
    writeOnce(join('api', 'openapi.json'), ['api', 'shared'], describe);
  } catch (error) {
    abandon(next, error.message);
  }
  utimesSync(next, started, started);
  replaceDist(next);

  /** Writes a file of the build, or copies the previous one if its sources have not changed since. */
  function writeOnce(file, sources, write) {
    const previous = unchangedSince(join(dist, file), sources);
    if (previous) writeFileSync(join(next, file), previous);
    else write(next);
    utimesSync(join(next, file), started, started);
  }
}

/** Writes the description of all operations, `/openapi.json`. The routes read the other files of the build. */
function describe(folder) {
  const { status } = spawnSync(process.execPath, [join(folder, 'scripts', 'describe.js')], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the operations cannot be described.');
}

function abandon(folder, reason) {
  rmSync(folder, { recursive: true, force: true });
  fail(`The build has failed: ${reason}`);
}

/** The content of a file that is newer than its sources; undefined if it is older or missing. */
function unchangedSince(path, sources) {
  const { mtimeMs = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  if (lastChange(sources) >= mtimeMs) return undefined;
  // Another build may replace dist at this moment.
  return existsSync(path) ? readFileSync(path) : undefined;
}

/** In milliseconds. The times of folders count too: they change when a file is added, renamed or removed. */
function lastChange(sources) {
  const paths = sources.flatMap((folder) => [
    folder,
    ...readdirSync(folder, { recursive: true }).map((path) => join(folder, path)),
  ]);
  return Math.max(...[...paths, 'tsconfig.json', 'package-lock.json'].map((path) => statSync(path).mtimeMs));
}

/** Another build may do the same concurrently: the last one wins. */
function replaceDist(next) {
  const previous = `${next}-previous`;
  for (;;) {
    try {
      if (existsSync(dist)) renameSync(dist, previous);
      renameSync(next, dist);
      break;
    } catch (error) {
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
    }
  }
  rmSync(previous, { recursive: true, force: true });
}

/** Sets process.argv as if Node had been started with the command. */
async function run(names) {
  const files = names.map((name) => join(dist, `${name}.js`));
  process.argv = [process.execPath, files.at(-1), ...parameters];
  process.setSourceMapsEnabled(true);
  try {
    for (const file of files) await import(pathToFileURL(file).href);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
