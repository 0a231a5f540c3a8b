const { spawnSync } = require('node:child_process');

/** Runs the npm that runs this command, otherwise the npm on the PATH. */
function runNpm(parameters, options) {
  const npm = process.env.npm_execpath;
  const [program, ...first] = npm && /\.c?js$/.test(npm) ? [process.execPath, npm] : ['npm'];
  return spawnSync(program, [...first, ...parameters], options);
}

module.exports = { runNpm };
