import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const version = 'v1';
const cipher = 'aes-256-gcm';

/**
 * Encrypts a text that must be decrypted later, with AES-256-GCM. `owner` binds it to its row: a copy in another row cannot be
 * decrypted. The key is `config.encryptionKey`, 32 bytes in hex.
 */
export function encryptText(key: string, owner: string, text: string): string {
  const nonce = randomBytes(12);
  const encryption = createCipheriv(cipher, Buffer.from(key, 'hex'), nonce).setAAD(Buffer.from(owner));
  const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()]);
  return [version, nonce, encryption.getAuthTag(), sealed]
    .map((part) => (typeof part === 'string' ? part : part.toString('base64url')))
    .join('.');
}

/** Throws if the text was changed, or was encrypted with another key or for another row. */
export function decryptText(key: string, owner: string, encrypted: string): string {
  const [found, nonce = '', tag = '', sealed = ''] = encrypted.split('.');
  if (found !== version) throw new Error('unknown encryption scheme');
  const decryption = createDecipheriv(cipher, Buffer.from(key, 'hex'), Buffer.from(nonce, 'base64url'), {
    authTagLength: 16,
  });
  decryption.setAAD(Buffer.from(owner)).setAuthTag(Buffer.from(tag, 'base64url'));
  return Buffer.concat([decryption.update(Buffer.from(sealed, 'base64url')), decryption.final()]).toString('utf8');
}
