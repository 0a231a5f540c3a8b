import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { settings } from '../../../shared/settings.js';

const root = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Settings that only `npm start` reads. */
const startSettings = ['DEMO'];

describe('README', () => {
  it('lists every setting and no other', () => {
    const rows = read('README.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z]/.test(line));
    const listed = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([A-Z0-9_]+)`/g)].map(([, name]) => name),
    );
    expect(listed).to.have.members([...Object.keys(settings.describe().keys), ...startSettings]);
  });

  it('has the right defaults', () => {
    const { keys } = settings.describe() as { keys: Record<string, { flags?: { default?: unknown } }> };
    const wrong = read('README.md')
      .split('\n')
      .map((line) => /^\| `([A-Z0-9_]+)` \| `([^`]*)` \|/.exec(line))
      .filter((match) => match !== null)
      .filter(([, name, value]) => String(keys[name as string]?.flags?.default) !== value)
      .map(([, name]) => name);
    expect(wrong).to.deep.equal([]);
  });

  it('links to pages that exist', () => {
    for (const page of ['README.md', 'docs/architecture.md', 'docs/deploy.md', 'docs/operate.md']) {
      const links = [...read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path as string);
      for (const link of links.filter((path) => path.endsWith('.md'))) {
        expect(() => readFileSync(new URL(link, new URL(page, root))), `${page}: ${link}`).not.to.throw();
      }
    }
  });

  it('names commands that exist in package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...read('README.md').matchAll(/`npm run ([a-z]+)`/g)].map(([, name]) => name as string);
    expect(Object.keys(scripts)).to.include.members(named);
  });
});
