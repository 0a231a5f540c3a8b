import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { contractPage } from '../../tools/docs/contractPage.js';
import { projectFile } from '../support/projectFile.js';

const stored = readFileSync(projectFile('docs/contract.md'), 'utf8');

describe('The tables of docs/contract.md', () => {
  it('are up to date with the routes and schemas (npm run docs)', () => {
    expect(contractPage(stored)).to.equal(stored);
  });

  it('require a mark for every operation', () => {
    const without = stored.replace('/api/vod, /api/public/vod,', '/api/vod,');
    expect(() => contractPage(without)).to.throw('docs/contract.md has no mark for /api/public/vod/{vodId}');
  });
});
