/**
 * Settings of a service on one's own machine, under those of the environment. Without a payment provider a deployment sells nothing;
 * here it sells in the sandbox, so that everything can be tried. Its users need not buy storage.
 */
export function localSettings(env: NodeJS.ProcessEnv): { PAYMENTS?: string; DEFAULT_PLAN: string } {
  const hasProvider = Boolean(env['PAYPAL_CLIENT_ID'] || env['STRIPE_SECRET_KEY']);
  return { ...(!hasProvider && { PAYMENTS: 'sandbox' }), DEFAULT_PLAN: 'Unlimited' };
}
