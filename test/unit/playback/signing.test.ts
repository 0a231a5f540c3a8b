import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { sign, verify } from '../../../shared/platform/security/signing.js';

const keys = [
  { id: 'new', secret: 'the secret that signs' },
  { id: 'old', secret: 'the secret that signed' },
];

describe('signing', () => {
  it('is HMAC-SHA256 with the first key, cut to 128 bits, in base64url', () => {
    const whole = createHmac('sha256', 'the secret that signs').update('v1|x').digest();
    expect(sign(keys, 'v1|x')).to.deep.equal({ keyId: 'new', value: whole.subarray(0, 16).toString('base64url') });
  });

  it('verifies with the named key only', () => {
    const old = sign(keys.slice(1), 'v1|x');
    expect(verify(keys, 'v1|x', old)).to.equal(true);
    expect(verify(keys, 'v1|x', { ...old, keyId: 'new' })).to.equal(false);
    expect(verify(keys, 'v1|x', { ...old, keyId: 'none' })).to.equal(false);
    expect(verify(keys, 'v1|y', old)).to.equal(false);
    expect(verify(keys, 'v1|x', { ...old, value: old.value.slice(1) })).to.equal(false);
    expect(verify(keys, 'v1|x', { ...old, value: '' })).to.equal(false);
    expect(verify(keys, 'v1|x', { ...old, value: 'é'.repeat(22) })).to.equal(false);
  });

  it('fails without a key', () => {
    expect(() => sign([], 'v1|x')).to.throw();
  });
});
