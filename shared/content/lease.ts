/**
 * Result of claiming work: `mine` with the work, `taken` by another worker whose lease ends at `until`, or `nothing` left
 * to do.
 */
export type Claim<Work> =
  | { readonly outcome: 'mine'; readonly work: Work }
  | { readonly outcome: 'taken'; readonly until: Date }
  | { readonly outcome: 'nothing' };
