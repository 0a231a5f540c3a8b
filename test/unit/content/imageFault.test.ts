import { expect } from 'chai';
import { assertFaultOfImage } from '../../../shared/content/image.js';
import { InsufficientStorageError, UnavailableError } from '../../../shared/platform/errors.js';

const gigabyte = 1024 ** 3;

describe('an image that cannot be decoded', () => {
  const check =
    (message: string, availableBytes = 4 * gigabyte) =>
    () =>
      assertFaultOfImage(new Error(message), availableBytes);

  it('is damaged where its file is at fault, whatever words stand in it', () => {
    for (const message of ['VipsJpeg: Premature end of input file', 'Input buffer contains unsupported image format'])
      expect(check(message)).not.to.throw();
    expect(check('vips_tracked: out of memory -- size == 4GB')).not.to.throw();
  });

  it('is not damaged where the machine has no space, memory or files', () => {
    expect(check('wbuffer_write: write failed\nunix error: No space left on device')).to.throw(
      InsufficientStorageError,
    );
    expect(() => assertFaultOfImage(Object.assign(new Error('write'), { code: 'ENOSPC' }))).to.throw(
      InsufficientStorageError,
    );
    expect(check('vips_tracked: out of memory -- size == 48MB', 100_000_000)).to.throw(UnavailableError);
    expect(check('unable to open: Too many open files')).to.throw(UnavailableError);
  });
});
