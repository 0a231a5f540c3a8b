/*
 * `npm start`, `npm test` and `npm run build` begin here. This file only looks at the version of Node, in words that
 * the oldest Node can read; what follows is in prepare.cjs.
 */
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error('This needs Node 20.19 or later, and ' + process.execPath + ' is ' + process.version + '.');
  process.exit(1);
}
require('./prepare.cjs');
