import type { ObjectSchema } from 'joi';
import { captionSettings } from './caption/caption.settings.js';
import { castSettings } from './cast/cast.settings.js';
import { contentSettings } from './content/content.settings.js';
import { licenseSettings } from './license/license.settings.js';
import { oauthSettings } from './oauth/oauth.settings.js';
import { paymentSettings } from './payment/payment.settings.js';
import { ConfigError, type Config } from './platform/config.js';
import { tunableReader, type ChangedTunables } from './platform/tunable.js';
import { nearSettings, type NearSetting } from './platform/nearSettings.js';
import { platformSettings } from './platform/platform.settings.js';
import { playbackSettings } from './playback/playback.settings.js';
import { serverSettings } from './platform/servers.settings.js';
import { streamingSettings } from './streaming/streaming.settings.js';

/** All environment variables with form, default and description. */
export const settings: ObjectSchema = platformSettings.variables
  .concat(serverSettings.variables)
  .concat(oauthSettings.variables)
  .concat(contentSettings.variables)
  .concat(captionSettings.variables)
  .concat(licenseSettings.variables)
  .concat(paymentSettings.variables)
  .concat(playbackSettings.variables)
  .concat(streamingSettings.variables)
  .concat(castSettings.variables);

/** Settings of earlier releases. Their values are now constants next to the code that uses them. */
const removedSettings: readonly string[] = [
  'BODY_TIMEOUT_SECONDS',
  'CAST_DELAY_SECONDS',
  'GUARDED_CALLS_PER_MINUTE',
  'JSON_LIMIT_BYTES',
  'LOGIN_FAILURES_FROM_ALL_ADDRESSES',
  'LOGIN_FAILURES_PER_USER',
  'MAXIMUM_STREAMS',
  'MAXIMUM_WAITING_CHUNKS',
  'MEDIA_MINUTES_REFUSED_PERCENT',
  'PAYMENTS_PER_HOUR',
  'PAYMENT_CHECK_SECONDS',
  'PAYMENT_OPEN_SECONDS',
  'PUBLIC_TOKENS_PER_MINUTE',
  'REFRESH_GRACE_SECONDS',
  'REGISTRATIONS_PER_HOUR',
  'RENEWALS_PER_HOUR',
  'STALL_SECONDS',
  'UNUSED_VIEW_SECONDS',
  'UPLOAD_SILENCE_SECONDS',
];

/**
 * Reads the settings of a process. Blank variables count as absent. `limits`: changed tunables, in tests. Throws ConfigError with
 * all faults.
 */
export function readConfig(process: Config['process'], env: NodeJS.ProcessEnv, limits?: ChangedTunables): Config {
  const present = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => value !== '' || name === 'OAUTH_CLIENT_SECRET'),
  );
  const { value, error } = settings.validate(present, { abortEarly: false, stripUnknown: true, convert: true });
  if (error) throw new ConfigError(error.details.map((detail) => detail.message.replaceAll('"', '')));
  return deepFreeze({
    process,
    limit: tunableReader(limits),
    ...platformSettings.configOf(value),
    ...serverSettings.configOf(value),
    ...oauthSettings.configOf(value),
    ...contentSettings.configOf(value),
    ...captionSettings.configOf(value),
    ...licenseSettings.configOf(value),
    ...paymentSettings.configOf(value),
    ...playbackSettings.configOf(value),
    ...streamingSettings.configOf(value),
    ...castSettings.configOf(value),
  });
}

/** The environment variables that are not settings, but resemble one. */
export function misspeltSettings(env: NodeJS.ProcessEnv): readonly NearSetting[] {
  const names = Object.keys(env).filter((name) => !removedSettings.includes(name));
  return nearSettings(names, Object.keys(settings.describe().keys));
}

/** The environment variables that were settings in an earlier release. */
export function setButRemoved(env: NodeJS.ProcessEnv): readonly string[] {
  return removedSettings.filter((name) => (env[name] ?? '') !== '');
}

function deepFreeze<Value extends object>(value: Value): Value {
  for (const member of Object.values(value)) if (typeof member === 'object' && member !== null) deepFreeze(member);
  return Object.freeze(value);
}
