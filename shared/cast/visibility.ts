/**
 * Who sees cast channels, programs and streams (`docs/contract.md#choices-cast`): everybody, while their owner is active. SQL
 * condition on the alias `owner`, which is a row of `users`.
 */
export const isVisible = `owner.state = 'ACTIVE'`;
