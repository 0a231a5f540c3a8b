import type { ObjectSchema } from 'joi';
import { castSettings } from './cast/cast.settings.js';
import { contentSettings } from './content/content.settings.js';
import { licenseSettings } from './license/license.settings.js';
import { oauthSettings } from './oauth/oauth.settings.js';
import { paymentSettings } from './payment/payment.settings.js';
import { ConfigError, type Config } from './platform/config.js';
import { nearSettings, type NearSetting } from './platform/nearSettings.js';
import { platformSettings } from './platform/platform.settings.js';
import { playbackSettings } from './playback/playback.settings.js';
import { streamingSettings } from './streaming/streaming.settings.js';

/** Every environment variable with its form and its default. The members of `Config` document their meaning. */
export const settings: ObjectSchema = platformSettings.variables
  .concat(oauthSettings.variables)
  .concat(contentSettings.variables)
  .concat(licenseSettings.variables)
  .concat(paymentSettings.variables)
  .concat(playbackSettings.variables)
  .concat(streamingSettings.variables)
  .concat(castSettings.variables);

/** Reads the settings of a process. Blank variables count as absent. Throws ConfigError that lists every fault. */
export function readConfig(process: Config['process'], env: NodeJS.ProcessEnv): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || name === 'OAUTH_CLIENT_SECRET'),
  );
  const { value, error } = settings.validate(present, { abortEarly: false, stripUnknown: true, convert: true });
  if (error) throw new ConfigError(error.details.map((detail) => detail.message.replaceAll('"', '')));
  return deepFreeze({
    process,
    ...platformSettings.configOf(value),
    ...oauthSettings.configOf(value),
    ...contentSettings.configOf(value),
    ...licenseSettings.configOf(value),
    ...paymentSettings.configOf(value),
    ...playbackSettings.configOf(value),
    ...streamingSettings.configOf(value),
    ...castSettings.configOf(value),
  });
}

/** The variables of an environment that are no settings, and look like one that is misspelt. */
export function misspeltSettings(env: NodeJS.ProcessEnv): readonly NearSetting[] {
  return nearSettings(Object.keys(env), Object.keys(settings.describe().keys));
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
