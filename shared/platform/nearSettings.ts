import { distance } from 'fastest-levenshtein';

/** A variable that no process reads, and the setting that it is probably meant to be. */
export interface NearSetting {
  readonly name: string;
  readonly setting: string;
}

/** A prefix with at least this number of settings belongs to this service. */
const minSettingsOfPrefix = 3;
/** Prefixes that other servers and hosting platforms also use: `REDIS_TLS_URL`, `DATABASE_CONNECTION_POOL_URL`. */
const foreignPrefixes: readonly string[] = ['DATABASE_', 'MEILI_', 'REDIS_'];

/**
 * Environment variables that look like a misspelt setting: two edits away (one edit for short names), or with a prefix of this
 * service. Settings of up to five letters are excluded, because they resemble common words.
 */
export function nearSettings(names: readonly string[], settings: readonly string[]): readonly NearSetting[] {
  const prefixes = ownPrefixes(settings);
  return names
    .filter((name) => !settings.includes(name))
    .flatMap((name) => {
      const setting = nearest(name, settings);
      const isNear = distance(name, setting) <= editsOf(setting);
      return isNear || prefixes.includes(prefixOf(name)) ? [{ name, setting }] : [];
    });
}

function editsOf({ length }: string): number {
  if (length <= 5) return 0;
  return length < 8 ? 1 : 2;
}

function nearest(name: string, settings: readonly string[]): string {
  return settings.reduce((best, one) => (distance(name, one) < distance(name, best) ? one : best));
}

function ownPrefixes(settings: readonly string[]): readonly string[] {
  const count = (prefix: string): number => settings.filter((name) => prefixOf(name) === prefix).length;
  return settings
    .map(prefixOf)
    .filter((prefix) => prefix !== '' && count(prefix) >= minSettingsOfPrefix && !foreignPrefixes.includes(prefix));
}

/** The prefix up to and including the first underscore. */
function prefixOf(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}
