/** An order in PayPal's format. */
export interface PaypalOrder {
  readonly id: string;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  readonly purchase_units: {
    readonly reference_id?: string;
    readonly custom_id?: string;
    readonly description?: string;
    readonly amount: { readonly currency_code: string; readonly value: string };
    payments?: { captures: PaypalCapture[] };
  }[];
  readonly payment_source: { readonly paypal: { readonly experience_context: Readonly<Record<string, string>> } };
}

interface PaypalCapture {
  readonly id: string;
  status: string;
  readonly amount: { readonly currency_code: string; readonly value: string };
  readonly custom_id?: string;
}
