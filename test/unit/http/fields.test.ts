import { expect } from 'chai';
import { id, tags } from '../../../api/http/fields.js';
import { searchBody } from '../../../api/http/searchBody.js';

const uuid = '6f1c7f3e-8b1f-4c55-9a54-3c6a2f6e1d20';

describe('Shared members of requests', () => {
  it('an id is read in any case', () => {
    expect(id().validate(` ${uuid.toUpperCase()} `).value).to.equal(uuid);
  });

  for (const text of [
    '',
    '1',
    `{${uuid}}`,
    `[${uuid}]`,
    `(${uuid})`,
    uuid.replaceAll('-', ''),
    uuid.replaceAll('-', ':'),
    `${uuid}0`,
    `${uuid}\0`,
  ]) {
    it(`${JSON.stringify(text)} is no id`, () => {
      expect(id().validate(text).error).not.to.equal(undefined);
    });
  }

  it('tags are each once, in order, and blank ones are none', () => {
    expect(tags().validate(['b', ' a ', 'b', '', ' ']).value).to.deep.equal(['b', 'a']);
  });

  it('a search body has its defaults, its cap and its coercions', () => {
    const read = (body: object) => searchBody().validate(body).value;
    expect(read({})).to.deep.equal({ pageSize: 20, pageIndex: 0, pagination: true });
    expect(read({ pageSize: '500', pageIndex: '2', pagination: 'false', queryString: '  ' })).to.deep.equal({
      pageSize: 100,
      pageIndex: 2,
      pagination: false,
    });
    for (const body of [
      { pageSize: 0 },
      { pageSize: 1.5 },
      { pageIndex: -1 },
      { pageIndex: 1e15 },
      { pageSize: 'many' },
    ]) {
      expect(searchBody().validate(body).error, JSON.stringify(body)).not.to.equal(undefined);
    }
  });
});
