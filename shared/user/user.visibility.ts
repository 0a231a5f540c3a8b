/** Everybody sees the items of an active user, and nobody those of another one. SQL condition on the alias `owner`, a row of `users`. */
export const isOwnerActive = `owner.state = 'ACTIVE'`;
