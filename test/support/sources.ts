import { readdirSync, readFileSync } from 'node:fs';
import { projectFile } from './projectFile.js';

/** Paths of the source files below a project folder, from its root. */
export function sourcesBelow(folder: string, names = /\.ts$/): string[] {
  return readdirSync(projectFile(folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name) && !name.includes('node_modules/'))
    .map((name) => `${folder}/${name}`);
}

/** The text of a source file. */
export function readSource(file: string): string {
  return readFileSync(projectFile(file), 'utf8');
}
