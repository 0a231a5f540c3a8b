/** `knip --production` finds what only tests use: patterns that end in `!` are not tests. */
const isProduction = process.argv.includes('--production');

export default {
  entry: [
    'api/main.ts!',
    'api/pages/embed/player.js!',
    'client/index.ts!',
    'workers/{main,clock,live}.ts!',
    'shared/platform/security/passwordThread.ts!',
    'scripts/{start,migrate,plan,reindex,reprocess,reverse,edgeUsage,describe}.ts!',
    '{scripts/bootstrap,scripts/prepare,tools/completeLock}.cjs!',
    'scripts/settings/setup.ts!',
    'scripts/embedded/{postgresProcess,stopWithParent,useRunning}.ts!',
    'tools/{test,testReporter,endpoints,reach}.ts!',
    'tools/bench/{main,reference/*}.ts!',
    'tools/{scale,docs}/main.ts!',
    'tools/demo/{cast,commerce,live}/main.ts!',
    'test/fuzz/main.ts',
    'test/support/rootHooks.ts',
    'test/**/*.test.ts',
  ],
  project: ['{api,workers,shared,scripts,tools,client}/**/*.{ts,js,cjs}!', 'test/**/*.ts'],
  // The types that `npm run client` writes.
  ignoreIssues: { 'client/operations.ts': ['exports', 'types'] },
  ignoreDependencies: ['swagger-ui-dist', 'openapi-typescript'],
  ignoreBinaries: ['pgbouncer', 'promtool', 'redis-cli', 'xmllint', 'nginx', 'redis-server', 'gst-launch-1.0'],
  // A function that its own file uses may be exported for a test.
  ignoreExportsUsedInFile: isProduction || { interface: true, type: true },
};
