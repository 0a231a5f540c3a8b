/**
 * Who sees cast channels and their programs (`docs/contract.md#choices-cast`). SQL conditions on the alias `owner`: the
 * users row of the channel's owner.
 */
export const visibility = {
  /** In public: read, searched, played. */
  channel: `owner.state = 'ACTIVE'`,
} as const;
