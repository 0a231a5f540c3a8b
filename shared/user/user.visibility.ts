/** Only items of active users are public. SQL condition on the alias `owner`, a row of `users`. */
export const isOwnerActive = `owner.state = 'ACTIVE'`;
