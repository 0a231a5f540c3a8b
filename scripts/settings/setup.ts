import { fchmodSync, fstatSync, ftruncateSync, writeSync } from 'node:fs';
import { generatedSettings } from '../embedded/credentials.js';
import { describedSettings } from './describedSettings.js';
import { deploymentEnv } from './environmentFiles.js';

const stdout = 1;
/** npm writes two lines to stdout before it runs a script: `> video-platform-service@1.0.0 setup`, and the command. */
const maxBannerBytes = 200;

const output = fstatSync(stdout);
if (output.isFile()) {
  fchmodSync(stdout, 0o600);
  if (output.size <= maxBannerBytes) ftruncateSync(stdout, 0);
  writeSync(stdout, deploymentEnv(describedSettings(), generatedSettings()), 0);
} else {
  writeSync(stdout, deploymentEnv(describedSettings(), generatedSettings()));
}
