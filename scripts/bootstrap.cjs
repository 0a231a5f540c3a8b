/*
 * All npm commands of this project start here. This file only checks the version of Node, in syntax that the oldest Node can parse;
 * prepare.cjs does everything else.
 */
var version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  console.error('This needs Node 20.19 or later, and ' + process.execPath + ' is ' + process.version + '.');
  process.exit(1);
}
require('./prepare.cjs');
