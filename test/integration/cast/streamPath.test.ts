import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from '../live/studio.js';
import { castItem, castKinds } from './castItems.js';
import { useFixture } from '../../support/fixtures.js';

/** Permitted letters are tested with `GET /api/public/live/streampath`. */
describe('GET /api/public/cast/streampath', () => {
  const studio = useFixture(openStudio);

  const suggest = async (query: string): Promise<string> =>
    bodyOf(200, await studio.get(`/api/public/cast/streampath${query}`, studio.anybody)).streamPath;

  it('returns 200 with a path that no live channel, cast channel or cast stream has', async () => {
    const base = `alps${randomBytes(6).toString('hex')}x`;
    const suggested = [await suggest(`?base=${base.toUpperCase()}`)];
    expect(suggested).to.deep.equal([base]);
    await studio.channel({ streamPath: base });
    for (const kind of castKinds) {
      const streamPath = await suggest(`?base=${base}`);
      suggested.push(streamPath);
      await castItem(studio, kind, { streamPath });
    }
    suggested.push(await suggest(`?base=${base}`));
    expect(new Set(suggested).size).to.equal(4);
    for (const path of suggested) expect(path).to.match(new RegExp(`^${base}\\d*$`));
  });

  it('returns 200 without a base', async () => {
    for (const query of ['', '?base=']) expect(await suggest(query)).to.match(/^[a-z0-9]+$/);
  });

  it('returns 400 for a base of more than 255 characters', async () => {
    bodyOf(400, await studio.get(`/api/public/cast/streampath?base=${'x'.repeat(256)}`, studio.anybody));
  });
});
