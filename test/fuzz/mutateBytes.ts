import fc from 'fast-check';

/** One change of a byte sequence. Positions are fractions of its length, so that a change applies to any sequence. */
export interface Mutation {
  readonly kind: 'set' | 'flip' | 'remove' | 'repeat' | 'insert' | 'cut';
  readonly position: number;
  readonly length: number;
  readonly value: number;
}

const kinds = ['set', 'flip', 'remove', 'repeat', 'insert', 'cut'] as const;

/** A few changes. `from` and `to` limit them to a part of the sequence; they are fractions. */
export function mutations(from = 0, to = 1): fc.Arbitrary<readonly Mutation[]> {
  const mutation = fc.record({
    kind: fc.constantFrom(...kinds),
    position: fc.double({ min: from, max: to, noNaN: true }),
    length: fc.oneof(fc.constantFrom(1, 2, 3, 4), fc.integer({ min: 1, max: 200 })),
    value: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0xff), fc.nat(255)),
  });
  return fc.array(mutation, { minLength: 1, maxLength: 5 });
}

export function mutate(bytes: Buffer, changes: readonly Mutation[]): Buffer {
  return changes.reduce(apply, bytes);
}

function apply(bytes: Buffer, { kind, position, length, value }: Mutation): Buffer {
  const at = Math.floor(position * bytes.length);
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, at + length), bytes.subarray(at + length)];
  switch (kind) {
    case 'set':
      return Buffer.concat([before, Buffer.alloc(part.length, value), after]);
    case 'flip':
      return Buffer.concat([before, Buffer.from(part.map((byte) => byte ^ value)), after]);
    case 'remove':
      return Buffer.concat([before, after]);
    case 'repeat':
      return Buffer.concat([before, part, part, after]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(length, value), part, after]);
    case 'cut':
      return before;
  }
}
