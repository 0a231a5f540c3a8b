import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { bodyOf } from '../../support/responses.js';
import { openStudio } from './studio.js';
import { useFixture } from '../../support/fixtures.js';

describe('GET /api/public/live/streampath', () => {
  const studio = useFixture(openStudio);

  const suggest = async (query = ''): Promise<string> =>
    bodyOf(200, await studio.get(`/api/public/live/streampath${query}`, studio.anybody)).streamPath;

  it('200 with the lower-case letters and digits of the base', async () => {
    const end = randomBytes(6).toString('hex');
    expect(await suggest(`?base=${encodeURIComponent(` My Café № 7 — ${end} `)}`)).to.match(
      new RegExp(`^mycafe(no)?7${end}$`),
    );
  });

  it('200 with a number behind a path that is taken, and then with the next one', async () => {
    const base = `alps${randomBytes(6).toString('hex')}x`;
    expect(await suggest(`?base=${base}`)).to.equal(base);
    await studio.channel({ streamPath: base });
    const second = await suggest(`?base=${base}`);
    expect(second).to.match(new RegExp(`^${base}\\d+$`));
    await studio.channel({ streamPath: second });
    const third = await suggest(`?base=${base}`);
    expect(third)
      .to.match(new RegExp(`^${base}\\d+$`))
      .and.not.equal(second);
  });

  it('200 without a base, with a blank one, and with one that has no letters', async () => {
    for (const query of ['', '?base=', '?base=%20', '?base=%E2%98%83'])
      expect(await suggest(query), query).to.match(/^[a-z0-9]+$/);
  });

  it('200 with a path that can be claimed, also for the longest base', async () => {
    const base = `${randomBytes(6).toString('hex')}${'x'.repeat(243)}`;
    for (let round = 0; round < 2; round += 1)
      bodyOf(201, await studio.createChannel({ name: 'A', streamPath: await suggest(`?base=${base}`) }));
  });

  it('400 for a base of more than 255 characters', async () => {
    bodyOf(400, await studio.get(`/api/public/live/streampath?base=${'x'.repeat(256)}`, studio.anybody));
  });
});
