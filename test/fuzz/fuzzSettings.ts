/** Settings of a service under test: rate limits must not stop thousands of failed requests of one caller. */
export const fuzzSettings: Readonly<Record<string, string>> = {
  GUARDED_CALLS_PER_MINUTE: '1000000',
  LOGIN_FAILURES_PER_USER: '1000000',
  RENEWALS_PER_HOUR: '1000000',
  REGISTRATIONS_PER_HOUR: '1000000',
  PAYMENTS_PER_HOUR: '1000000',
  LOG_LEVEL: 'fatal',
};
