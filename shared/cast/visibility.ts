import { isOwnerActive } from '../user/user.visibility.js';

/**
 * Condition for visible cast channels, programs and streams (`docs/contract.md#choices-cast`): their owner is active. SQL on the
 * alias `owner`, which is a row of `users`.
 */
export const isVisible = isOwnerActive;

/**
 * Condition for programs in guides and searches: breaks and programs that cannot be played show the slate, so they are
 * excluded. SQL on the alias `program`.
 */
export const isListed = `program.type <> 'BREAK' AND program.failure_key IS NULL`;
