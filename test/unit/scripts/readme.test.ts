import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { settings } from '../../../shared/settings.js';
import { projectFile } from '../../support/projectFile.js';

const read = (path: string): string => readFileSync(projectFile(path), 'utf8');

function namedIn(page: string, form: RegExp): string[] {
  return [...read(page).matchAll(form)].map(([, name = '']) => name);
}

describe('README and CONTRIBUTING', () => {
  it('name PORT alone of all settings', () => {
    const names = Object.keys(settings.describe().keys);
    const named = namedIn('README.md', /(?<![A-Z_])([A-Z][A-Z0-9_]+)(?![A-Z_])/g);
    expect(names.filter((name) => named.includes(name))).to.deep.equal(['PORT']);
  });

  it('explain every command of package.json, and name no other', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const rows = read('CONTRIBUTING.md')
      .split('\n')
      .filter((line) => line.startsWith('| `npm '));
    const commands = [...rows.join('\n').matchAll(/`npm (?:run )?([a-z:]+)/g)].map(([, name]) => name);
    expect([...new Set(commands)]).to.have.members(Object.keys(scripts));
    expect(Object.keys(scripts)).to.include.members(namedIn('README.md', /npm run ([a-z:]+)/g));
  });
});
