import { defineModel, bigint, integer, text, timestamp, uuid, type RowOf } from '../../../platform/database/model.js';

/**
 * What the sandbox does after the buyer has paid; all but `PLAIN` are faults of real providers. `LATE`: the money
 * arrives long after the expiry of the order. `DOUBLE`: every capture is requested twice at once. `WRONG_AMOUNT`: one
 * cent less is captured. `LOST_ANSWER`: the capture is done and its response is lost. `SLOW_ANSWER`: the response comes
 * late.
 */
export const sandboxBehaviours = ['PLAIN', 'LATE', 'DOUBLE', 'WRONG_AMOUNT', 'LOST_ANSWER', 'SLOW_ANSWER'] as const;
export type SandboxBehaviour = (typeof sandboxBehaviours)[number];

/** An order of the sandbox: the table of a provider that knows nothing about our payments. */
export const SandboxOrder = defineModel('sandbox_orders', {
  reference: uuid().primaryKey(),
  idempotencyKey: uuid(),
  title: text(),
  amountCents: bigint(),
  /** ISO 4217. */
  currency: text(),
  returnUrl: text(),
  cancelUrl: text(),
  /** `OPEN` after `expiresAt`: nobody can pay any more. */
  state: text<'OPEN' | 'APPROVED' | 'CAPTURED' | 'REFUNDED' | 'REJECTED'>(),
  behaviour: text<SandboxBehaviour>().withDefault(),
  capturedCents: bigint().nullable(),
  captureId: uuid().nullable(),
  /** Number of captures; more than one would be a defect. */
  captures: integer().withDefault(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  /** When the money of an approved order arrives; null: at once. */
  payableAt: timestamp().nullable(),
});

export type SandboxOrder = Readonly<RowOf<typeof SandboxOrder>>;
