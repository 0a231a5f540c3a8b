/*
 * Writes `client/operations.ts`: the types of every operation and event, from the OpenAPI document that the build has made. With
 * `--check` it only says whether the file is that of the present document and of this generator, and needs no packages. Its packages are
 * in this folder: they need an older compiler than the project.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const documentUrl = new URL('../../dist/api/openapi.json', import.meta.url);
const target = new URL('../operations.ts', import.meta.url);

const text = readFileSync(documentUrl, 'utf8');
const hash = createHash('sha256')
  .update(text)
  .update(readFileSync(new URL(import.meta.url)))
  .digest('hex');
const firstLine = `// Made by \`npm run client\` from the OpenAPI document and the generator ${hash}`;

if (process.argv.includes('--check')) {
  if (!readFileSync(target, 'utf8').startsWith(`${firstLine}\n`)) {
    console.error('client/operations.ts is not that of the present operations: run npm run client.');
    process.exit(1);
  }
} else {
  const { default: typesOf, astToString } = await import('openapi-typescript');
  const { default: typescript } = await import('typescript');
  const blob = typescript.factory.createTypeReferenceNode('Blob');
  const transform = ({ format }) => (format === 'binary' ? blob : undefined);
  const types = astToString(await typesOf(JSON.parse(text), { alphabetize: false, exportType: false, transform }));
  writeFileSync(target, `${firstLine}\n\n${types}`);
}
