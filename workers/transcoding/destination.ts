/** Where an attempt stores its files: folders that no other attempt writes to. */
export interface Destination {
  readonly generation: string;
  readonly preview: string;
  readonly attempt: string;
}
