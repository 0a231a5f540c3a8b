import { expect } from 'chai';
import { GrowingPlaylistWriter } from '../../../workers/ingestion/copy/growingPlaylistWriter.js';
import { eventually } from '../../support/eventually.js';

describe('an event playlist in progress', () => {
  it('lists segments in order, even if they are stored out of order', async () => {
    const written: number[] = [];
    const list = new GrowingPlaylistWriter(async (count) => void written.push(count));
    list.stored(2);
    expect(list.isShown).to.equal(false);
    list.stored(0);
    await eventually(() => expect(list.isShown).to.equal(true));
    list.stored(1);
    await eventually(() => expect(written).to.deep.equal([1, 3]));
    await list.end();
  });

  it('ends at once and writes nothing afterwards', async () => {
    const written: number[] = [];
    const list = new GrowingPlaylistWriter(async (count) => void written.push(count));
    list.stored(0);
    await eventually(() => expect(list.isShown).to.equal(true));
    list.stored(1);
    await list.end();
    list.stored(2);
    expect(written).to.deep.equal([1]);
  });

  it('writes nothing after a failed write, and rejects with its error at the end', async () => {
    let writes = 0;
    const list = new GrowingPlaylistWriter(async () => {
      writes += 1;
      throw new Error('the store is away');
    });
    list.stored(0);
    await eventually(() => expect(writes).to.equal(1));
    list.stored(1);
    expect(await list.end().catch((error: Error) => error.message)).to.equal('the store is away');
    expect(writes).to.equal(1);
  });
});
