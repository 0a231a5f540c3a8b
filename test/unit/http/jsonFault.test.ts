import { expect } from 'chai';
import { findJsonFault } from '../../../api/http/jsonFault.js';

describe('findJsonFault', () => {
  for (const [text, line, column, isCutOff] of [
    ['a=b', 1, 1, false],
    ["{'a':1}", 1, 2, false],
    ['{"a":1,}', 1, 8, false],
    ['{\n  "a": "b",,\n', 2, 12, false],
    ['{"a":"x\ny"}', 1, 6, false],
    ['{"a":1} x', 1, 9, false],
    ['{"a": // no\n1}', 1, 7, false],
    ['{', 1, 2, true],
    ['{\n  "a": "é', 2, 10, true],
    ['[1, 2,\n', 1, 7, true],
  ] as const)
    it(`${JSON.stringify(text)}: line ${line}, column ${column}`, () => {
      expect(findJsonFault(text)).to.deep.equal({ line, column, isCutOff });
    });

  it('is null for JSON, and where the text is nested too deeply to be read', () => {
    expect(findJsonFault('{"a": [1, true, null, "\\u00e9"]}')).to.equal(null);
    expect(findJsonFault('['.repeat(500_000))).to.equal(null);
  });

  it('takes no longer for hostile texts', () => {
    const began = performance.now();
    for (const text of [',', '"', '1', '{"a":[{', '\\', '/*'].map((part) => part.repeat(1024 ** 2 / part.length)))
      findJsonFault(text);
    expect(performance.now() - began).to.be.below(3_000);
  });
});
