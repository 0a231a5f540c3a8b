import { distance } from 'fastest-levenshtein';

/** A variable that no process reads, and the setting that was perhaps meant. */
export interface NearSetting {
  readonly name: string;
  readonly setting: string;
}

/** A prefix that so many settings have is ours. */
const settingsOfPrefix = 3;
/** A server on the same machine has settings of its own, and platforms set some: `REDIS_TLS_URL`, `DATABASE_CONNECTION_POOL_URL`. */
const foreignPrefixes: readonly string[] = ['DATABASE_', 'MEILI_', 'REDIS_'];

/**
 * Environment variables that look like a misspelt setting: two edits away from one, one edit where the name is short, or with a
 * prefix of ours. Names of up to five letters are common words.
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
    .filter((prefix) => prefix !== '' && count(prefix) >= settingsOfPrefix && !foreignPrefixes.includes(prefix));
}

/** Up to the first underscore, which is part of it. */
function prefixOf(name: string): string {
  return name.slice(0, name.indexOf('_') + 1);
}
