import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Storage } from './storage.js';

/** Writes, reads and removes a small file; throws if any step fails. */
export async function checkByUse(storage: Omit<Storage, 'check'>): Promise<void> {
  const key = `check/${randomUUID()}`;
  const content = Buffer.from(key);
  await storage.put(key, content, { contentType: 'text/plain' });
  try {
    if (!(await buffer(await storage.read(key))).equals(content))
      throw new Error('the store returned different bytes than were written');
  } finally {
    await storage.remove([key]);
  }
}
