/*
 * Bundles each page's scripts, with the packages that they import, into one file, and its styles into another. Each file is also
 * compressed, so that web processes need not do it. `prepare.cjs` calls this at the end of a build.
 */
const { readFileSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const { brotliCompressSync, constants, gzipSync } = require('node:zlib');

const sources = 'api/pages/embed';
const entries = ['player.js', 'player.css'];
/** A file next to the bundles with the licenses of their packages, which require that their notices are kept. */
const noticesFile = 'licenses.txt';

/** Browsers of the last four years. Newer syntax is translated; no polyfills are added. */
const target = ['chrome103', 'edge103', 'firefox102', 'safari15.4'];

/** Writes the bundles of the pages into a folder. Throws if a bundle fails; the reason is printed. */
function bundlePages(folder) {
  // Loaded here, because this file is also loaded before the packages are installed.
  const { buildSync } = require('esbuild');
  const { metafile } = buildSync({
    entryPoints: entries.map((entry) => join(sources, entry)),
    outdir: folder,
    bundle: true,
    minify: true,
    format: 'esm',
    target,
    charset: 'utf8',
    legalComments: 'inline',
    banner: { js: `/*! Contains third-party packages: see ${noticesFile} next to this file. */` },
    metafile: true,
    logLevel: 'warning',
  });
  const files = Object.keys(metafile.outputs).map((path) => basename(path));
  writeFileSync(join(folder, noticesFile), noticesOf(Object.keys(metafile.inputs)));
  for (const file of [...files, noticesFile]) compress(join(folder, file));
}

/** Names, versions and license texts of the packages in a bundle. */
function noticesOf(inputs) {
  const packages = inputs.map((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]).filter(Boolean);
  return [...new Set(packages)]
    .toSorted((one, other) => (one < other ? -1 : 1))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      return `${name} ${version} (${license})\n\n${readFileSync(join(folder, 'LICENSE'), 'utf8').trim()}\n`;
    })
    .join(`\n${'-'.repeat(80)}\n\n`);
}

function compress(path) {
  const bytes = readFileSync(path);
  const quality = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params: quality }));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }));
}

module.exports = { bundlePages };
