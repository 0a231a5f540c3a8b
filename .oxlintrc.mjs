/*
 * Lint rules. The import rules of docs/architecture.md are made from the tables below;
 * test/contract/architecture.test.ts plants a breach of each and checks that the linter finds it.
 */

/** A domain imports, and reads tables of, domains of lower levels only (test/contract/tableOwners.test.ts). */
export const levels = {
  content: 0,
  user: 1,
  ledger: 1,
  oauth: 2,
  payment: 2,
  webhook: 2,
  license: 3,
  streaming: 4,
  caption: 4,
  box: 5,
  upload: 6,
  marketplace: 6,
  live: 7,
  cast: 7,
  vod: 7,
  bundle: 8,
  playback: 9,
  views: 10,
  pages: 10,
};

/**
 * Folders that others enter through their index.ts alone, each with its own tests, which may import every file. They are libraries:
 * what they import is limited below.
 */
export const doors = {
  ...Object.fromEntries(
    ['aac', 'avc', 'closedCaptions', 'flv'].map((format) => [`shared/media/${format}`, ['test/unit/media/**']]),
  ),
  'shared/media/mp4': ['test/unit/media/**', 'test/integration/media/sampleTable.test.ts', 'test/support/media.ts'],
  'shared/cast/playout': ['test/unit/cast/**'],
  'shared/platform/lease': [],
  'shared/platform/queue': ['test/unit/jobs/**', 'test/integration/jobs/**', 'test/support/queueHarness.ts'],
  'shared/platform/search': [
    ...['unit', 'integration', 'contract'].map((folder) => `test/${folder}/search/**`),
    'test/contract/{searchEngines,statements}.test.ts',
    'test/failure/crowdRequests.test.ts',
    'test/long/meilisearchRows.test.ts',
  ],
  'workers/media': [
    'test/unit/media/**',
    'test/integration/{media/returnedAttempts,upload/fullDisk}.test.ts',
    'test/media/{copyFaults,fullDiskWriters}.test.ts',
  ],
  'workers/rtmp': [
    'test/unit/rtmp/**',
    'test/support/rtmp/**',
    'test/long/rtmpAttackWorker.ts',
    'test/integration/live/rtmp*.test.ts',
  ],
};

/** A path that is not `index.js`, by its first letters: the linter's expressions have no lookahead. */
const notIndex = '([^i/]|i[^n/]|in[^d/]|ind[^e/]|inde[^x/]|index[^.])';

const up = '^(\\.\\./)+';
const registries =
  'openContext|clockContext|models|jobs|eventViews|indexes|purchases|thumbnails|liveScopes|generationsInUse|messages|settings|processLifecycle';
const entryPoints = { regex: '/(main|clock)\\.js$|\\.\\./live\\.js$', message: 'Entry points are not imported.' };
const folders = (names, message) => ({ regex: `${up}(${names.join('|')})/`, message });
const packages = (names, message) => ({ regex: `^(${names.join('|')})(/|$)`, message });
const outside = folders(['scripts', 'tools', 'test'], 'Commands, tools and tests are not imported.');

const inShared = [
  outside,
  ...doorsFrom('shared'),
  folders(['api', 'workers'], 'shared imports neither api nor workers.'),
  packages(['express', 'multer', 'fluent-ffmpeg'], 'shared imports no HTTP framework and no ffmpeg.'),
];

const inWorkers = [
  outside,
  ...doorsFrom('workers'),
  entryPoints,
  folders(['api'], 'api and workers do not import each other.'),
  packages(['express', 'multer'], 'workers serve no HTTP.'),
];

const importRules = {
  'api/**': [
    outside,
    ...doorsFrom('api'),
    entryPoints,
    folders(['workers'], 'api and workers do not import each other.'),
    packages(
      ['sequelize', 'pg', 'bullmq', 'ioredis', 'fluent-ffmpeg', 'meilisearch'],
      'api calls services; it uses no database, queue or search engine itself.',
    ),
  ],
  'workers/**': inWorkers,
  'shared/**': inShared,
  ...withoutRegistries('platform', [...inShared, folders(Object.keys(levels), 'shared/platform imports no domain.')]),
  ...Object.assign(
    {},
    ...Object.keys(levels).map((domain) => withoutRegistries(domain, [...inShared, higherThan(domain)])),
  ),
  'scripts/**': [
    folders(['tools', 'test'], 'Commands of the product import no tools and no tests.'),
    ...doorsFrom('scripts'),
  ],
  'tools/**': doorsFrom('tools'),
  'test/**': doorsFrom('test'),
  ...Object.fromEntries([...new Set(Object.values(doors).flat())].map((own) => [own, doorsFrom('test', own)])),
  'client/*.ts': [
    {
      regex: `${up}(api|workers|shared|scripts|tools|test)/`,
      message: 'client is for other programs: it imports nothing of the service.',
    },
    packages(['node:.*'], 'client runs in browsers too.'),
  ],
  ...library('shared/media'),
  ...library('shared/cast/playout', ['../media/**']),
  ...library('shared/platform/lease'),
  ...library('shared/platform/queue', [
    'database/model.js',
    'database/sql.js',
    'errorListener.js',
    'systemClock.js',
    'withTimeout.js',
  ]),
  ...library('shared/platform/search', [
    'database/databaseErrors.js',
    'database/model.js',
    'database/sql.js',
    'formats/page.js',
    'lease/index.js',
    'queue/index.js',
    'systemClock.js',
  ]),
  ...library('workers/media', [
    '../shared/media/**',
    '../shared/content/plan.js',
    '../shared/platform/errorListener.js',
    '../shared/platform/storage/freeSpace.js',
    '../shared/platform/withTimeout.js',
  ]),
  ...library('workers/rtmp', [
    '../shared/media/**',
    '../shared/platform/errorListener.js',
    '../shared/platform/formats/network.js',
    '../shared/platform/formats/trailing.js',
    '../shared/platform/withTimeout.js',
  ]),
};

/**
 * Rules of a folder of shared. The registries lie in shared itself, which is one folder up, or more from a subfolder: there
 * `../context.js` is a file of the folder.
 */
function withoutRegistries(folder, rules) {
  return Object.fromEntries(
    [1, 2, 3].map((depth) => [
      `shared/${folder}/${'*/'.repeat(depth - 1)}*.ts`,
      [
        ...rules,
        { regex: `^(\\.\\./){${depth}}(${registries})\\.js$`, message: 'Services do not import the registries.' },
      ],
    ]),
  );
}

/**
 * Rules of a library inside the service, with folders of one level. It imports nothing of the service but what `permitted` names, as it
 * is written in the library's own files.
 */
function library(folder, permitted = []) {
  const message = `${folder} is a library: it imports nothing of the service.`;
  const rule = (depth) => ({
    group: ['../'.repeat(depth) + '**', ...permitted.map((path) => `!${'../'.repeat(depth)}${path}`)],
    message,
  });
  const usual = folder.startsWith('workers/') ? inWorkers : inShared;
  return { [`${folder}/*.ts`]: [...usual, rule(1)], [`${folder}/*/*.ts`]: [...usual, rule(2)] };
}

/** Rules of the files of a folder: no import of a file behind a door. Tests of a library, named by their glob, may enter it. */
function doorsFrom(top, ownTests) {
  return Object.entries(doors)
    .filter(([, tests]) => !tests.includes(ownTests))
    .map(([folder]) => {
      // Below the same folder, a relative path begins further down.
      const isBelow = folder.startsWith(`${top}/`);
      const path = isBelow ? folder.replaceAll(/([^/]+\/)/g, '($1)?') : folder;
      return {
        regex: `^(\\.\\.?/)+${path}/${notIndex}`,
        message: `${folder} is entered through its index.ts.`,
      };
    });
}

function higherThan(domain) {
  const closed = Object.keys(levels).filter((other) => other !== domain && levels[other] >= levels[domain]);
  return folders(closed, `shared/${domain} is of level ${levels[domain]} and imports lower levels only.`);
}

export default {
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'node'],
  jsPlugins: ['eslint-plugin-regexp', './tools/errorListenerRule.mjs'],
  categories: { correctness: 'error', suspicious: 'error' },
  env: { node: true, es2023: true },
  ignorePatterns: ['node_modules', 'dist', '.build-*', '.data', 'coverage', 'client/operations.ts', 'docs'],
  rules: {
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-self-import': 'error',
    'max-lines': ['error', 300],
    'max-lines-per-function': ['error', { max: 80, skipBlankLines: true, skipComments: true }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'no-throw-literal': 'error',
    eqeqeq: ['error', 'always', { null: 'ignore' }],
    'no-var': 'error',
    'prefer-const': 'error',
    'no-console': ['error', { allow: ['error'] }],
    'typescript/no-misused-spread': ['error', { allow: ['string'] }],
    // These report what is intended here.
    'typescript/no-unsafe-type-assertion': 'off',
    'import/no-named-as-default-member': 'off',
    'import/no-unassigned-import': 'off',
    'promise/always-return': 'off',
    'promise/no-callback-in-promise': 'off',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'unicorn/no-useless-spread': 'off',
    'oxc/no-async-endpoint-handlers': 'off',
    'unicorn/no-thenable': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'no-unmodified-loop-condition': 'off',
    'no-underscore-dangle': 'off',
    'no-new': 'off',
  },
  overrides: [
    ...Object.entries(importRules).map(([files, patterns]) => ({
      files: [files],
      rules: { 'no-restricted-imports': ['error', { patterns }] },
    })),
    {
      // Texts from outside have any length: an expression that is not linear stops the process for all others.
      files: ['api/**', 'shared/**', 'workers/**'],
      rules: { 'regexp/no-super-linear-backtracking': 'error', 'regexp/no-super-linear-move': 'error' },
    },
    {
      // An emitter that fails without a listener ends the process.
      files: ['api/**', 'shared/**', 'workers/**', 'scripts/**', 'tools/**'],
      rules: { 'streams/error-listener': 'error' },
    },
    { files: ['scripts/**', 'tools/**'], rules: { 'no-console': 'off' } },
    { files: ['scripts/bootstrap.cjs'], rules: { 'no-var': 'off' } },
    {
      files: ['test/**'],
      env: { mocha: true },
      rules: { 'max-lines-per-function': 'off', 'no-unused-expressions': 'off' },
    },
  ],
};
