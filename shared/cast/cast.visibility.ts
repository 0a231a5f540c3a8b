/**
 * Who sees cast channels, their programs and streams (`docs/contract.md#choices-cast`). SQL conditions on the alias `owner`,
 * which is the row of `users`.
 */
export const visibility = {
  /** Read, searched and played by everybody; a stream: played by its owner. */
  channel: `owner.state = 'ACTIVE'`,
} as const;
