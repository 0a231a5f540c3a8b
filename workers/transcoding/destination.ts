/** The storage folders of an attempt, to which no other attempt writes. */
export interface Destination {
  readonly generation: string;
  readonly preview: string;
  readonly attempt: string;
}
