import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { projectFile } from './projectFile.js';

export interface ComposeService {
  readonly image: string;
  readonly build?: string;
  readonly command?: readonly string[];
  readonly environment?: Readonly<Record<string, string | number | null>>;
  readonly read_only?: boolean;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly volumes?: readonly string[];
  readonly configs?: readonly { readonly source: string }[];
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, ComposeService>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly configs: Readonly<Record<string, { readonly content?: string; readonly file?: string }>>;
}

/** `compose.yaml` with the variables of an environment. A missing required variable throws. */
export function readComposeFile(environment: Readonly<Record<string, string>>): ComposeFile {
  const text = readFileSync(projectFile('compose.yaml'), 'utf8');
  const filled = text.replace(
    /\$(?:\$|\{(\w+)(:[-?])?([^}]*)\})/g,
    (found, name?: string, kind?: string, more = '') => {
      if (name === undefined) return '$';
      const value = environment[name] ?? (kind === ':-' ? String(more) : undefined);
      if (value === undefined) throw new Error(`compose.yaml needs ${found}`);
      return value;
    },
  );
  return parse(filled, { merge: true }) as ComposeFile;
}
