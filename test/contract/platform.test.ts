import { schemaHead } from '../../shared/platform/database/schemaState.js';
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { expect } from 'chai';
import { projectFile } from '../support/projectFile.js';
import { readSource, sourcesBelow } from '../support/sources.js';

const platform = 'shared/platform';

/** Every folder of `shared` except the platform is a domain. */
const domains = readdirSync(projectFile('shared'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'platform')
  .map(({ name }) => name);

/** The types, classes and models that a source file exports. */
function typesOf(source: string): string[] {
  const declared = /^export (?:abstract )?(?:const|class|interface|type) ([A-Z]\w+)/gm;
  return [...source.matchAll(declared)].map(([, name = '']) => name);
}

const typesBelow = (folder: string): string[] => sourcesBelow(folder).flatMap((file) => typesOf(readSource(file)));
const platformTypes = new Set(typesBelow(platform));
const domainTypes = new Set(
  domains.flatMap((domain) => typesBelow(`shared/${domain}`)).filter((name) => !platformTypes.has(name)),
);

/** Domain terms. `user` and `content` are excluded, because they have other meanings: a login's user, a file's content. */
const domainWord =
  /vod|bundle|marketplace|licen[cs]e|payment|purchase|playback|ledger|oauth|\bbox(?:es)?\b|entitlement|subscription|thumbnail|content(?:Id|Urn)|user(?:Id|Code)/gi;

/** Names of the platform that contain a domain term, with the reason. */
const permitted: Readonly<Record<string, string>> = {
  PaymentRequiredError: 'named after status 402, Payment Required',
  [schemaHead]: 'the name of the newest migration',
  'payment-verification': 'the list of queues, which processes choose from by WORKER_QUEUES',
};

/** The distinct domain names in a file of the platform. */
function breachesOf(file: string, source: string): string[] {
  const code = Object.keys(permitted).reduce((text, name) => text.replaceAll(name, ''), source);
  const plain = code.replaceAll(/^\s*\/\*[^]*?\*\//gm, '').replaceAll(/(^|\s)\/\/[^\n]*/g, '$1');
  const imported = [...code.matchAll(/(?:from|import)\s*\(?'(\.[^']*)'/g)]
    .map(([, path = '']) => posix.join(posix.dirname(file), path))
    .filter((path) => !path.startsWith(`${platform}/`));
  const named = [...plain.replaceAll(/'[^'\n]*'/g, '').matchAll(/\b[A-Za-z]\w+/g)]
    .map(([name]) => name)
    .filter((name) => domainTypes.has(name));
  const words = [...code.replaceAll(/docs\/contract\.md#[\w-]+/g, '').matchAll(domainWord)].map(([word]) => word);
  return [...new Set([...imported, ...named, ...words])];
}

describe('shared/platform', () => {
  it('uses no folder, type or name of a domain', () => {
    const breaches = sourcesBelow(platform)
      .filter((file) => !file.endsWith('.messages.ts'))
      .flatMap((file) => breachesOf(file, readSource(file)).map((breach) => `${file}: ${breach}`));
    expect(breaches).to.deep.equal([]);
  });

  const planted: readonly (readonly [title: string, source: string, breach: string])[] = [
    ['an import of a domain', "import type { Row } from '../../vod/vod.model.js';", 'shared/vod/vod.model.js'],
    ['a type of a domain', 'export interface Context { readonly kind: PurchaseKind }', 'PurchaseKind'],
    ['a search definition', "const index = { name: 'vod', fields: [] };", 'vod'],
    ['a setting of a domain', 'readonly playback: { readonly keys: readonly string[] };', 'playback'],
  ];
  for (const [title, source, breach] of planted)
    it(`is reported for ${title}`, () =>
      expect(breachesOf(`${platform}/search/planted.ts`, source)).to.include(breach));
});
