/*
 * Writes `client/operations.ts`: the types of every operation and event, from the OpenAPI document that the build has made. With
 * `--check` it only says whether the file is that of the present document, and needs no packages.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';

const documentUrl = new URL('../../dist/api/openapi.json', import.meta.url);
const target = new URL('../operations.ts', import.meta.url);

const text = readFileSync(documentUrl, 'utf8');
const firstLine = `// Made by \`npm run client\` from the OpenAPI document ${createHash('sha256').update(text).digest('hex')}`;

if (process.argv.includes('--check')) {
  if (!readFileSync(target, 'utf8').startsWith(`${firstLine}\n`)) {
    console.error('client/operations.ts is not that of the present operations: run npm run client.');
    process.exit(1);
  }
} else {
  const { default: typesOf, astToString } = await import('openapi-typescript');
  const types = astToString(await typesOf(JSON.parse(text), { alphabetize: false, exportType: false }));
  writeFileSync(target, `${firstLine}\n\n${types}`);
}
