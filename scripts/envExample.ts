import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type Joi from 'joi';
import { settings } from '../shared/settings.js';

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

const header = `# Every setting with its default. Written by \`npm run env:example\` from shared/settings.ts.
# What each setting means: README.md, "Settings".
# Copy this file to .env, change it, and start with: node --env-file=.env scripts/bootstrap.cjs start
# Remove the comment sign of what you change. \`npm start\` generates required settings; in production set them all.
`;

/** The text of `.env.example`: every setting commented out, with its default and its constraints. */
export function envExample(): string {
  const { keys, dependencies = [] } = settings.describe() as {
    keys: Record<string, Described>;
    dependencies?: readonly Dependency[];
  };
  const entries = Object.entries(keys).map(([name, setting]) => {
    const notes = [
      ...(setting.flags?.presence === 'required' ? ['required'] : []),
      ...constraintsOf(setting),
      ...dependencies.flatMap((one) => noteOf(one, name)),
    ];
    const comment = notes.length > 0 ? `# ${notes.join('; ')}\n` : '';
    return `${comment}# ${name}=${quoted(setting.flags?.default)}\n`;
  });
  return [header, ...entries].join('\n');
}

function constraintsOf({ type, flags, allow = [], rules = [] }: Described): string[] {
  if (flags?.only) return [`one of ${allow.join(', ')}`];
  if (type === 'boolean') return ['true or false'];
  return rules.flatMap(({ name, args }) => {
    if (name === 'min') return [`at least ${String(args?.['limit'])}`];
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

/** In quotation marks where a shell or `node --env-file` would not take the plain text. */
function quoted(value: string | number | boolean = ''): string {
  const text = String(value);
  return /^[\w./:,-]*$/.test(text) ? text : JSON.stringify(text);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync('.env.example', envExample());
  console.log('Written to .env.example');
}
