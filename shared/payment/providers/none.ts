import { NotFoundError } from '../../platform/errors.js';
import type { PaymentProvider } from './provider.js';

/** In place of a provider where none is configured: `assertPayments` rejects what would need one before it is called. */
export const noProvider: PaymentProvider = {
  name: 'none',
  async create() {
    throw new Error('no payment provider is configured');
  },
  async verify() {
    throw new Error('no payment provider is configured');
  },
  async refund() {
    throw new Error('no payment provider is configured');
  },
  async readEvent() {
    throw new NotFoundError({ detail: 'no payment provider is configured' });
  },
};
