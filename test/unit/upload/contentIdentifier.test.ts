import { expect } from 'chai';
import { contentIdOf, uuidOfName } from '../../../shared/upload/contentIdentifier.js';
import { isUuid } from '../../../shared/platform/formats/format.js';

const owner = '0f8fad5b-d9cb-469f-a165-70867728950e';
const other = '7c9e6679-7425-40de-944b-e07fc1f90ae7';

describe('contentIdentifier', () => {
  it('computes the UUID of the example in RFC 9562', () =>
    expect(uuidOfName('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).to.equal(
      '2ed6657d-e927-568b-95e1-2665a8aea6a2',
    ));

  it('creates a new id if none is sent', () => {
    expect(isUuid(contentIdOf('video', owner, undefined))).to.equal(true);
    expect(contentIdOf('video', owner, undefined)).to.not.equal(contentIdOf('video', owner, undefined));
  });

  it('accepts a UUID and the service’s own URN in any case', () => {
    expect(contentIdOf('video', owner, other.toUpperCase())).to.equal(other);
    expect(contentIdOf('acme:video', owner, `urn:acme:video:content:${other}`)).to.equal(other);
  });

  it('derives one id from any name and its owner', () => {
    for (const name of ['summer', 'urn:other:content:x', `urn:other:content:${other}`, 'ü 💛', other.slice(1)]) {
      expect(contentIdOf('video', owner, name))
        .to.equal(contentIdOf('video', owner, name))
        .and.not.equal(contentIdOf('video', other, name));
      expect(isUuid(contentIdOf('video', owner, name))).to.equal(true);
    }
  });
});
