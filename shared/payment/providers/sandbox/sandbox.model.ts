import { column, defineModel, type RowOf } from '../../../platform/database/model.js';

/**
 * Behaviour of the sandbox after the buyer has paid; all but `PLAIN` simulate faults of real providers. `LATE`: the money arrives
 * long after the expiry of the order. `DOUBLE`: every capture is requested twice at once. `WRONG_AMOUNT`: one cent less is
 * captured. `LOST_ANSWER`: the capture is done and its response is lost. `SLOW_ANSWER`: the response comes late.
 */
export const sandboxBehaviours = ['PLAIN', 'LATE', 'DOUBLE', 'WRONG_AMOUNT', 'LOST_ANSWER', 'SLOW_ANSWER'] as const;
export type SandboxBehaviour = (typeof sandboxBehaviours)[number];

/** An order of the sandbox, which has no access to the payments table, like a real provider. */
export const SandboxOrder = defineModel('sandbox_orders', {
  reference: column.uuid().primaryKey(),
  idempotencyKey: column.uuid(),
  title: column.text(),
  amountCents: column.bigint(),
  /** ISO 4217. */
  currency: column.text(),
  returnUrl: column.text(),
  cancelUrl: column.text(),
  /** `OPEN` after `expiresAt`: the order can no longer be paid. */
  state: column.text<'OPEN' | 'APPROVED' | 'CAPTURED' | 'REFUNDED' | 'REJECTED'>(),
  behaviour: column.text<SandboxBehaviour>().withDefault(),
  capturedCents: column.bigint().nullable(),
  captureId: column.uuid().nullable(),
  /** Number of captures; more than one would be a defect. */
  captures: column.integer().withDefault(),
  createdAt: column.timestamp(),
  expiresAt: column.timestamp(),
  /** When the money of an approved order arrives; null: at once. */
  payableAt: column.timestamp().nullable(),
});

export type SandboxOrder = Readonly<RowOf<typeof SandboxOrder>>;
