import { scryptSync } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import sinon from 'sinon';
import { TooManyRequestsError } from '../../../shared/platform/errors.js';
import { decryptText, encryptText } from '../../../shared/platform/security/encryption.js';
import { hashPassword, sameSecret, verifyPassword } from '../../../shared/platform/security/passwords.js';
import { ContextParts } from '../../../shared/platform/contextParts.js';
import { openPasswordThreads, passwordThreads } from '../../../shared/platform/security/passwordThreads.js';
import { randomToken, tokenHash } from '../../../shared/platform/security/tokens.js';

const key = 'ab'.repeat(32);

describe('Passwords', function () {
  this.timeout(60_000);
  const usual = { parts: new ContextParts() };
  const threads = openPasswordThreads({ N: 2 ** 14, r: 8, p: 1 });
  const derive = sinon.spy(threads, 'derive');
  const ctx = { parts: new ContextParts([[passwordThreads, threads]]) };
  after(() => Promise.all([usual.parts.close(), threads.close()]));

  it('have a hash that verifies only its password and contains its cost', async () => {
    const hash = await hashPassword(ctx, 'correct horse');
    expect(hash).to.match(/^scrypt\$16384\$8\$1\$/);
    expect(await hashPassword(usual, 'correct horse')).to.match(/^scrypt\$16384\$8\$5\$/);
    expect(await hashPassword(ctx, 'correct horse')).not.to.equal(hash);
    expect(hash).not.to.include('correct');
    expect(await verifyPassword(ctx, 'correct horse', hash)).to.equal(true);
    expect(await verifyPassword(ctx, 'correct horsf', hash)).to.equal(false);
    expect(await verifyPassword(ctx, '', hash)).to.equal(false);
  });

  it('verify against an older hash of lower cost', async () => {
    const older = 'scrypt$1024$8$1$' + Buffer.from('0123456789abcdef').toString('base64url');
    const derived = scryptSync('old password', '0123456789abcdef', 32, { N: 1024, r: 8, p: 1 }).toString('base64url');
    expect(await verifyPassword(ctx, 'old password', `${older}$${derived}`)).to.equal(true);
    expect(await verifyPassword(ctx, 'new password', `${older}$${derived}`)).to.equal(false);
  });

  it('are equal in different Unicode normalization forms', async () =>
    expect(await verifyPassword(ctx, 'caf\u00e9 au lait', await hashPassword(ctx, 'cafe\u0301 au lait'))).to.equal(
      true,
    ));

  it('are hashed two at a time while sixteen wait and others are rejected, without a delay of file reads', async () => {
    const waiting = Array.from({ length: 30 }, () => hashPassword(ctx, 'correct horse').catch((error: Error) => error));
    const startedMs = performance.now();
    await Promise.all(Array.from({ length: 8 }, () => readFile('package.json')));
    const filesMs = performance.now() - startedMs;
    const results = await Promise.all(waiting);
    const rejected = results.filter((result) => typeof result !== 'string');
    expect(rejected).to.have.length(12);
    for (const error of rejected) expect(error).to.be.instanceOf(TooManyRequestsError);
    expect(filesMs).to.be.below((performance.now() - startedMs) / 4);
    expect(await verifyPassword(ctx, 'correct horse', results[0] as string)).to.equal(true);
  });

  it('take the same work for an unknown account as for a wrong password, and are rejected', async () => {
    const hash = await hashPassword(ctx, 'correct horse');
    derive.resetHistory();
    for (const stored of [hash, null]) expect(await verifyPassword(ctx, 'guess', stored)).to.equal(false);
    const [known, unknown] = derive.args.map(([{ options, keyBytes }]) => ({ options, keyBytes }));
    expect(unknown).to.deep.equal(known);
  });

  it('are comparable with secrets of different lengths', () => {
    expect(sameSecret('', '')).to.equal(true);
    expect(sameSecret('secret', 'secret')).to.equal(true);
    expect(sameSecret('secret', 'secre')).to.equal(false);
    expect(sameSecret('', 'secret')).to.equal(false);
  });
});

describe('Encryption', () => {
  it('decrypts a text for its owner only', () => {
    const sealed = encryptText(key, 'user-1', 'pässword');
    expect(sealed).not.to.include('pässword');
    expect(decryptText(key, 'user-1', sealed)).to.equal('pässword');
    expect(() => decryptText(key, 'user-2', sealed)).to.throw();
    expect(() => decryptText('cd'.repeat(32), 'user-1', sealed)).to.throw();
  });

  it('detects every changed part', () => {
    const parts = encryptText(key, 'user-1', 'password').split('.');
    for (const index of [0, 1, 2, 3]) {
      const changed = parts
        .map((part, at) => (at === index ? (part.startsWith('A') ? 'B' : 'A') + part.slice(1) : part))
        .join('.');
      expect(() => decryptText(key, 'user-1', changed), String(index)).to.throw();
    }
    expect(
      () => decryptText(key, 'user-1', parts.map((part, at) => (at === 2 ? part.slice(0, 6) : part)).join('.')),
      'short tag',
    ).to.throw();
  });

  it('encrypts equal texts differently each time', () =>
    expect(encryptText(key, 'user-1', 'password')).not.to.equal(encryptText(key, 'user-1', 'password')));
});

describe('Tokens', () => {
  it('have 256 bits and are stored as a hash', () => {
    const token = randomToken();
    expect(Buffer.from(token, 'base64url')).to.have.length(32);
    expect(tokenHash(token)).to.have.length(32);
    expect(randomToken()).not.to.equal(token);
  });
});
