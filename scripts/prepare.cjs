/*
 * Brings a checkout to the point where it runs (packages as the lock file says, dist as the sources say), then runs
 * dist/scripts/<command>.js in this same process: one process less to pass signals through.
 */
const { spawnSync } = require('node:child_process');
const {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} = require('node:fs');
const { join, relative, resolve, sep } = require('node:path');
const { pathToFileURL } = require('node:url');

const root = resolve(__dirname, '..');
const dist = join(root, 'dist');
const sourceFolders = ['api', 'workers', 'shared', 'scripts', 'test'];
/** Written by npm at the end of an installation: an interrupted one has none. */
const installStamp = join(root, 'node_modules', '.package-lock.json');
/** What the last complete build was made of. */
const buildStamp = join(dist, '.sources.json');
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');

const [command, ...rest] = process.argv.slice(2);
const scripts = {
  start: ['start'],
  test: ['test'],
  endpoints: ['endpoints'],
  'env:example': ['envExample'],
  bench: ['bench/main'],
  fuzz: ['../test/fuzz/main'],
  'demo:commerce': ['demo/commerce/main'],
  ...onDatabase('migrate', 'reindex', 'reverse'),
};
if (command !== 'build' && !scripts[command])
  refuse(`Usage: node scripts/bootstrap.cjs build|${Object.keys(scripts).join('|')}`);
process.chdir(root);
if (needsInstallation()) install();
if (existsSync(compiler)) build();
else if (!existsSync(buildStamp)) refuse('Neither dist nor the compiler is there: run npm ci.');
if (command !== 'build') void run(scripts[command], rest);

/** Scripts that work on the running `npm start` where no DATABASE_URL says otherwise. */
function onDatabase(...names) {
  return Object.fromEntries(names.map((name) => [name, ['embedded/useRunning', name]]));
}

function needsInstallation() {
  if (!existsSync(installStamp)) return true;
  return statSync(installStamp).mtimeMs < statSync(join(root, 'package-lock.json')).mtimeMs;
}

/** Packages' own install scripts are not needed, and later versions of npm do not run them. */
function install() {
  console.log('Installing the packages of package-lock.json (npm ci) ...');
  const parameters = ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  const done =
    npm && /\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...parameters], { stdio: 'inherit' })
      : spawnSync('npm', parameters, { stdio: 'inherit' });
  if (done.status !== 0) refuse('npm ci has failed.');
  utimesSync(installStamp, new Date(), new Date());
}

/** Compiles, copies what is no TypeScript (style sheets, recordings), removes what has no source any more. */
function build() {
  const sources = listSources();
  const wanted = JSON.stringify(sources);
  if (existsSync(buildStamp) && readFileSync(buildStamp, 'utf8') === wanted) return;
  const done = spawnSync(process.execPath, [compiler], { stdio: 'inherit' });
  if (done.status !== 0) refuse('The build has failed.');
  for (const file of Object.keys(sources)) if (isCopied(file)) cpSync(join(root, file), join(dist, file));
  removeStale(sources);
  writeFileSync(buildStamp, wanted);
}

/** Path, size and time of everything that the build is made of. */
function listSources() {
  const files = sourceFolders.flatMap((folder) => filesIn(join(root, folder))).map((file) => relative(root, file));
  return Object.fromEntries(
    [...files, 'tsconfig.json', 'package-lock.json'].map((file) => {
      const { size, mtimeMs } = statSync(join(root, file));
      return [file, `${size} ${Math.round(mtimeMs)}`];
    }),
  );
}

function isCopied(file) {
  return sourceFolders.includes(file.split(sep)[0]) && !/\.(ts|cjs)$/.test(file);
}

/** A test or a migration whose source is gone must not run on from dist. */
function removeStale(sources) {
  for (const file of sourceFolders.flatMap((folder) => filesIn(join(dist, folder)))) {
    const path = relative(dist, file);
    if (!(path in sources) && !(path.replace(/\.js(\.map)?$/, '.ts') in sources)) rmSync(file);
  }
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The last of the files is the command; it takes itself for the one that Node was started with. */
async function run(names, parameters) {
  const files = names.map((name) => join(dist, 'scripts', `${name}.js`));
  process.argv = [process.execPath, files.at(-1), ...parameters];
  process.setSourceMapsEnabled(true);
  try {
    for (const file of files) await import(pathToFileURL(file).href);
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
}

function refuse(line) {
  console.error(line);
  process.exit(1);
}
