/**
 * Default settings of `npm start`; the environment overrides them. The sandbox is the payment provider, so that everything can be
 * tried, and users need not buy storage.
 */
export function localSettings(env: NodeJS.ProcessEnv): { PAYMENTS?: string; DEFAULT_PLAN: string } {
  const hasProvider = Boolean(env['PAYPAL_CLIENT_ID'] || env['STRIPE_SECRET_KEY']);
  return { ...(!hasProvider && { PAYMENTS: 'sandbox' }), DEFAULT_PLAN: 'Unlimited' };
}
