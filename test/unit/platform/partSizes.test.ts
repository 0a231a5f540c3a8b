import { expect } from 'chai';
import fc from 'fast-check';
import { partBytesOf } from '../../../shared/platform/storage/multipart.js';
import { pieceBytesOf } from '../../../shared/platform/storage/s3Arrivals.js';
import { groupsOf, partLimits, partsOf, smallestPartBytes } from '../../../shared/platform/storage/s3Join.js';

const mebibyte = 1024 ** 2;
/** The largest object of S3. */
const largestBytes = 5 * 1024 ** 4;
const pieces = (bytes: readonly number[]) => bytes.map((one, index) => ({ key: String(index), bytes: one }));
const sumOf = (parts: readonly { readonly bytes: number }[]): number =>
  parts.reduce((sum, { bytes }) => sum + bytes, 0);

describe('The part sizes of an object store', () => {
  it('divide a file of any length into fewer than 10,000 pieces or parts of 5 MiB to 5 GiB', () => {
    for (const totalBytes of [1, 5 * mebibyte, 48.9 * 1024 ** 3, 78.2 * 1024 ** 3, 1024 ** 4, largestBytes])
      for (const bytes of [pieceBytesOf(totalBytes), partBytesOf(totalBytes)]) {
        expect(bytes).to.be.within(smallestPartBytes, partLimits.bytes);
        expect(Math.ceil(totalBytes / bytes)).to.be.below(partLimits.count);
      }
  });

  it('join a film of 60 GiB, sent in pieces of 5 MiB, in groups that the store copies', () => {
    const parts = partsOf(pieces(Array.from({ length: 12_288 }, () => 5 * mebibyte)));
    expect(parts).to.have.lengthOf(12_288);
    const groups = groupsOf(parts);
    expect(groups.map(({ length }) => length)).to.deep.equal([...Array.from({ length: 12 }, () => 1024)]);
  });

  it('respect all limits and the order for any received pieces', () => {
    const size = fc.oneof(fc.integer({ min: 1, max: 300_000 }), fc.integer({ min: 5 * mebibyte, max: 700 * mebibyte }));
    fc.assert(
      fc.property(fc.array(size, { minLength: 1, maxLength: 300 }), fc.integer({ min: 2, max: 50 }), (bytes, count) => {
        const all = pieces(bytes);
        const parts = partsOf(all);
        const groups = groupsOf(parts, { ...partLimits, count });
        expect(groups.flat(2)).to.deep.equal(all);
        for (const group of groups) {
          expect(group.length).to.be.within(1, count);
          expect(sumOf(group.flat())).to.be.at.most(partLimits.bytes);
        }
        for (const part of parts.slice(0, -1)) expect(sumOf(part)).to.be.at.least(smallestPartBytes);
        const longer = partsOf(all, Math.ceil(sumOf(all) / count));
        expect(longer.length).to.be.at.most(count);
        expect(longer.flat()).to.deep.equal(all);
      }),
    );
  });
});
