import { isOwnerActive } from '../user/user.visibility.js';

/**
 * Who sees cast channels, programs and streams (`docs/contract.md#choices-cast`): everybody, while their owner is active. SQL
 * condition on the alias `owner`, which is a row of `users`.
 */
export const isVisible = isOwnerActive;

/**
 * A program in guides and in the search: a break shows the slate, and so does a program that cannot be played. SQL
 * condition on the alias `program`.
 */
export const isListed = `program.type <> 'BREAK' AND program.failure_key IS NULL`;
