import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const usage = `npm run reach [-- <file>]
Prints the number of files that each entry loads, including type imports: the closure of its imports. With a file, it prints
the closure of that file by folder.
`;

/** Source folders whose files can be named. The median counts the first three. */
const folders = ['api', 'workers', 'shared', 'scripts'] as const;

/** Two levels up from dist/tools. */
const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Libraries with an entry file (door). Their users need not read the inside, so that the door counts as one file. Within a library,
 * every import counts.
 */
const { doors } = (await import(pathToFileURL(join(projectFolder, '.oxlintrc.mjs')).href)) as {
  readonly doors: Readonly<Record<string, readonly string[]>>;
};

/** Base names of the files whose closures are limited: `test/contract/architecture.test.ts`. */
const watchedFiles = ['ingestContent.ts', 'liveProcess.ts', 'reversePayments.ts'] as const;

const importedPath = /(?:from|import)\s*\(?\s*'(\.[^']+)'/g;

/** Files by path, each with the files that it imports. */
type Imports = ReadonlyMap<string, readonly string[]>;

/** The imports of the service's source below a root folder, read from the text of its files. */
export function readImports(root: string): Imports {
  const files = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
      .map((name) => `${folder}/${name}`),
  );
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const paths = [...readFileSync(join(root, file), 'utf8').matchAll(importedPath)].map(([, path = '']) => path);
      const imported = paths.map((path) => join(dirname(file), path).replace(/\.js$/, '.ts'));
      return [file, [...new Set(imported)].filter((path) => known.has(path))];
    }),
  );
}

/** All files that a file imports, directly or through others, without the file itself. */
export function closureOf(imports: Imports, file: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const pending = [file];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next !== file && isForeignDoor(next, file)) continue;
    for (const path of imports.get(next) ?? []) {
      if (path === file || reached.has(path)) continue;
      reached.add(path);
      pending.push(path);
    }
  }
  return reached;
}

function isForeignDoor(path: string, user: string): boolean {
  return Object.keys(doors).some((folder) => path === `${folder}/index.ts` && !user.startsWith(`${folder}/`));
}

/** The median size of the closures of all files in api, workers and shared. */
export function medianClosure(imports: Imports): number {
  const sizes = [...imports.keys()]
    .filter((file) => !file.startsWith('scripts/'))
    .map((file) => closureOf(imports, file).size)
    .toSorted((a, b) => a - b);
  return sizes[sizes.length >> 1] ?? 0;
}

/** The only file with a base name. Throws if there is none. */
export function fileNamed(imports: Imports, name: string): string {
  const file = [...imports.keys()].find((path) => basename(path) === name);
  if (file === undefined) throw new Error(`there is no file ${name}`);
  return file;
}

function print(root: string, named: string | undefined): void {
  const imports = readImports(root);
  const { stdout } = process;
  if (named === undefined) {
    stdout.write(`${String(medianClosure(imports)).padStart(5)}  median of api, workers and shared\n`);
    for (const name of watchedFiles) {
      const file = fileNamed(imports, name);
      stdout.write(`${String(closureOf(imports, file).size).padStart(5)}  ${file}\n`);
    }
    return;
  }
  const path = relative(root, join(process.cwd(), named));
  const file = imports.has(path) ? path : fileNamed(imports, basename(named));
  const closure = closureOf(imports, file);
  stdout.write(`${String(closure.size).padStart(5)}  ${file}\n`);
  const byFolder = new Map<string, string[]>();
  for (const one of [...closure].toSorted())
    byFolder.set(dirname(one), [...(byFolder.get(dirname(one)) ?? []), basename(one, '.ts')]);
  for (const [folder, names] of byFolder)
    stdout.write(`${String(names.length).padStart(5)}  ${folder}: ${names.join(' ')}\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [named, ...more] = process.argv.slice(2);
  if (more.length > 0 || named?.startsWith('-')) {
    process.stderr.write(usage);
    process.exitCode = 1;
  } else print(projectFolder, named);
}
