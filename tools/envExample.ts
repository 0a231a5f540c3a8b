import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type Joi from 'joi';
import { settings } from '../shared/settings.js';
import { settingGroups } from './settingTable.js';

interface Described extends Joi.Description {
  readonly flags?: {
    readonly default?: string | number | boolean;
    readonly presence?: 'required';
    readonly only?: boolean;
  };
  readonly allow?: readonly unknown[];
  readonly rules?: readonly { readonly name: string; readonly args?: Readonly<Record<string, unknown>> }[];
}

interface Dependency {
  readonly rel: string;
  readonly peers: readonly string[];
}

const header = `# Every setting with its default. Written by \`npm run env:example\` from README.md ("Settings") and shared/settings.ts.
#
# No process reads this file or .env by itself. Copy it to .env, remove the comment sign of what you change, and use one of:
#   node --env-file=.env scripts/bootstrap.cjs start    (generates required settings; in production set them all)
#   set -a; . ./.env; set +a                            (a shell)
#   EnvironmentFile=/etc/video.env                      (systemd: docs/deploy.md)
# A value with spaces or other special characters stands in single quotes: then all of these read the same.
`;

/** The text of `.env.example`: every setting commented out, with what it is for, its constraints and its default. */
export function envExample(readme: string): string {
  const { keys, dependencies = [] } = settings.describe() as {
    keys: Record<string, Described>;
    dependencies?: readonly Dependency[];
  };
  const entryOf = (name: string): string => {
    const setting = keys[name];
    const notes = [
      ...(setting?.flags?.presence === 'required' ? ['required'] : []),
      ...(setting ? constraintsOf(setting) : []),
      ...dependencies.flatMap((one) => noteOf(one, name)),
    ];
    return `${comment(notes.join('; '))}# ${name}=${quoted(setting?.flags?.default)}\n`;
  };
  const groups = settingGroups(readme).map(({ title, rows }) => {
    const entries = rows.map(({ names, meaning }) => comment(meaning) + names.map(entryOf).join(''));
    return [`# ${'-'.repeat(20)} ${title} ${'-'.repeat(20)}\n`, ...entries].join('\n');
  });
  return [header, ...groups].join('\n');
}

/** Lines of a comment; none without a text. */
function comment(text: string): string {
  return text === '' ? '' : text.replace(/(.{1,116})(?:\s+|$)/g, '# $1\n');
}

function constraintsOf({ type, flags, allow = [], rules = [] }: Described): string[] {
  if (flags?.only) return [`one of ${allow.join(', ')}`];
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

function noteOf({ rel, peers }: Dependency, name: string): string[] {
  if (!peers.includes(name)) return [];
  const others = peers.filter((peer) => peer !== name).join(', ');
  if (rel === 'or') return [`required, unless ${others} is set`];
  return [rel === 'and' ? `set together with ${others}` : `not together with ${others}`];
}

/** In single quotes where not all readers would take the plain text: see `header`. */
function quoted(value: string | number | boolean = ''): string {
  const text = String(value);
  if (text.includes("'")) throw new Error(`A default with a quote cannot be written for all readers: ${text}`);
  return /^[\w./:,-]*$/.test(text) ? text : `'${text}'`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync('.env.example', envExample(readFileSync('README.md', 'utf8')));
  console.log('Written to .env.example');
}
