import { randomUUID } from 'node:crypto';
import type { Storage } from './storage.js';

/** Puts, reads and removes a small file; throws where the store is not usable. */
export async function checkByUse(storage: Omit<Storage, 'check'>): Promise<void> {
  const key = `check/${randomUUID()}`;
  const content = Buffer.from(key);
  await storage.put(key, content, { contentType: 'text/plain' });
  try {
    const parts: Buffer[] = [];
    for await (const part of await storage.read(key)) parts.push(part as Buffer);
    if (!Buffer.concat(parts).equals(content)) throw new Error('the store gave back other bytes than it was given');
  } finally {
    await storage.remove([key]);
  }
}
