import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '../../shared/platform/context.js';

/** A user as a row alone: for tests below the API, which need an owner and no password. */
export async function createUser(ctx: Context): Promise<string> {
  const id = randomUUID();
  const userCode = `user${randomBytes(5).toString('hex')}`;
  await ctx.db.change(
    `INSERT INTO users (id, user_code, password_hash, state, language, email, first_name, last_name, birth_date, last_activity_at, created_at, updated_at)
     VALUES ($id, $userCode, '', 'ACTIVE', 'en', $email, 'Ada', 'Lovelace', '1985-12-10', $now, $now, $now)`,
    { id, userCode, email: `${userCode}@example.org`, now: ctx.clock.now() },
  );
  return id;
}
