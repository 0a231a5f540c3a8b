import { defineModel, bigint, integer, text, timestamp, uuid } from '../../platform/database/model.js';

/** An order of the sandbox provider. */
export const SandboxOrderRecord = defineModel('sandbox_orders', {
  reference: uuid().primaryKey(),
  idempotencyKey: uuid(),
  title: text(),
  amountCents: bigint(),
  currency: text(),
  returnUrl: text(),
  cancelUrl: text(),
  state: text(),
  behaviour: text().withDefault(),
  capturedCents: bigint().nullable(),
  captureId: uuid().nullable(),
  captures: integer().withDefault(),
  createdAt: timestamp(),
  expiresAt: timestamp(),
  payableAt: timestamp().nullable(),
});
