import type Joi from 'joi';
import { settings } from '../../shared/settings.js';

/** In the order of the parts of `docs/settings.md`. */
export const tiers = ['must', 'choose', 'expert'] as const;
export type Tier = (typeof tiers)[number];

/** A setting as its declaration in a `*.settings.ts` file describes it. */
export interface DescribedSetting {
  readonly name: string;
  readonly tier: Tier;
  readonly group: string;
  /** In Markdown; links are relative to `docs`. */
  readonly meaning: string;
  readonly default: string | number | boolean | undefined;
  readonly isRequired: boolean;
  /** Its format: `at least 4`. */
  readonly constraints: readonly string[];
  /** The settings that it requires or excludes, in Markdown. */
  readonly dependencies: readonly string[];
}

interface Described extends Omit<Joi.Description, 'notes' | 'tags'> {
  readonly flags: {
    readonly default?: string | number | boolean;
    readonly presence?: 'required';
    readonly only?: boolean;
    readonly description: string;
  };
  readonly notes: readonly [string];
  readonly tags?: readonly Tier[];
  readonly allow?: readonly unknown[];
  readonly rules?: readonly { readonly name: string; readonly args?: Readonly<Record<string, unknown>> }[];
}

interface Dependency {
  readonly rel: string;
  readonly key?: string;
  readonly peers: readonly string[];
}

/** The setting that only `npm start` reads, before it opens a configuration. */
const demo: DescribedSetting = {
  name: 'DEMO',
  tier: 'expert',
  group: 'Start',
  meaning: '`npm start` only. `off`: no demo user and no sample clip. Default: `on`; with `DATABASE_URL` `off`',
  default: undefined,
  isRequired: false,
  constraints: [],
  dependencies: [],
};

/** The settings by the titles of their groups; groups are in the order of their first settings. */
export function settingGroupsOf(
  described: readonly DescribedSetting[],
): [title: string, described: DescribedSetting[]][] {
  const titles = [...new Set(described.map(({ group }) => group))];
  return titles.map((title) => [title, described.filter(({ group }) => group === title)]);
}

/** Every setting, in the order of the declarations. */
export function describedSettings(): DescribedSetting[] {
  const { keys, dependencies = [] } = settings.describe() as {
    keys: Record<string, Described>;
    dependencies?: readonly Dependency[];
  };
  const declared = Object.entries(keys).map(([name, setting]) => ({
    name,
    tier: setting.tags?.[0] ?? 'expert',
    group: setting.notes[0],
    meaning: setting.flags.description,
    default: setting.flags.default,
    isRequired: setting.flags.presence === 'required',
    constraints: constraintsOf(setting),
    dependencies: dependencies.flatMap((dependency) => noteOf(dependency, name)),
  }));
  return [...declared, demo];
}

function constraintsOf({ type, flags, allow = [], rules = [] }: Described): string[] {
  if (flags.only) return [`one of ${allow.join(', ')}`];
  if (type === 'boolean') return ['true or false'];
  return rules.flatMap(({ name, args }) => {
    if (name === 'min') return [`at least ${String(args?.['limit'])}${type === 'string' ? ' characters' : ''}`];
    if (name === 'max') return [`at most ${String(args?.['limit'])}`];
    if (name === 'multiple') return [`a multiple of ${String(args?.['base'])}`];
    if (name === 'length') return [`${String(args?.['limit'])} characters`];
    if (name === 'hex') return ['hexadecimal'];
    if (name === 'uri') return [`a URL (${schemesOf(args?.['options']).join(', ')})`];
    if (name === 'pattern') return [`matches ${String(args?.['regex'])}`];
    return [];
  });
}

function schemesOf(options: unknown): string[] {
  return [(options as { scheme?: string | string[] } | undefined)?.scheme ?? []].flat();
}

function noteOf({ rel, key, peers }: Dependency, name: string): string[] {
  const others = peers.filter((peer) => peer !== name).map((peer) => `\`${peer}\``);
  if (rel === 'with') return key === name ? [`requires ${others.join(', ')}`] : [];
  if (!peers.includes(name)) return [];
  if (rel === 'or') return [`required, unless ${others.join(', ')} is set`];
  return [`${rel === 'and' ? 'set' : 'not'} together with ${others.join(', ')}`];
}
