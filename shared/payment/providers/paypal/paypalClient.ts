import { ApiError, Client, CustomError } from '@paypal/paypal-server-sdk';
import { withoutTrailing } from '../../../platform/formats/trailing.js';
import type { PaymentConfig } from '../../payment.settings.js';
import { callTimeoutMs, ProviderRejection, providerUnavailable } from '../providerCalls.js';

export interface PaypalOptions {
  readonly settings: NonNullable<PaymentConfig['paypal']>;
  readonly now: () => Date;
  /** Timeout of one call; default 10 s. */
  readonly timeoutMs?: number;
}

export type PaypalCall = <Response>(
  operation: string,
  work: (client: Client, signal: AbortSignal) => Promise<Response>,
) => Promise<Response>;

/**
 * Calls PayPal. Throws UnavailableError if it does not respond, and ProviderRejection if it rejects the request. The client caches
 * its access token. After a failure a new client is created, because the SDK never repeats a failed token request.
 */
export function createPaypalCall(options: PaypalOptions): PaypalCall {
  const { timeoutMs = callTimeoutMs } = options;
  let kept: Client | undefined;
  return async function call(operation, work) {
    for (let repeated = false; ; repeated = true) {
      const client = (kept ??= clientOf(options));
      try {
        return await work(client, AbortSignal.timeout(timeoutMs));
      } catch (error) {
        const failure = failureOf(operation, error);
        if (!(failure instanceof ProviderRejection) && kept === client) kept = undefined;
        // A token expires early if the credentials were rotated: one retry with a new token.
        if (repeated || !isTokenRejected(error)) throw failure;
      }
    }
  };
}

/** The SDK supports only two named base addresses. Every request, including token requests, is rewritten to `PAYPAL_URL`. */
function clientOf({ settings, timeoutMs = callTimeoutMs }: PaypalOptions): Client {
  const { url, clientId, clientSecret } = settings;
  const base = withoutTrailing(url, '/');
  class ClientAtAddress extends Client {
    override getRequestBuilderFactory(): ReturnType<Client['getRequestBuilderFactory']> {
      const make = super.getRequestBuilderFactory();
      return (method, path) => {
        const builder = make(method, path);
        builder.interceptRequest((request) => ({ ...request, url: base + pathOf(request.url) }));
        return builder;
      };
    }
  }
  return new ClientAtAddress({
    httpClientOptions: { timeout: timeoutMs },
    clientCredentialsAuthCredentials: {
      oAuthClientId: clientId,
      oAuthClientSecret: clientSecret,
      // A token that expires during a request would be rejected.
      oAuthClockSkew: 60,
    },
  });
}

function pathOf(url: string): string {
  return url.slice(new URL(url).origin.length);
}

function isTokenRejected(error: unknown): boolean {
  return error instanceof CustomError && error.statusCode === 401;
}

function failureOf(operation: string, error: unknown): Error {
  if (!(error instanceof ApiError)) return providerUnavailable(`PayPal, ${operation}: ${nameOf(error)}`);
  const { statusCode: status } = error;
  const { name, debug_id: debugId, details } = (error.result ?? {}) as ErrorBody;
  const reason = details?.[0]?.issue ?? name ?? '';
  const detail = `PayPal, ${operation}: ${status} ${reason} (debug id ${debugId ?? 'none'})`;
  const isRejection = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  return isRejection ? new ProviderRejection(status, reason, detail) : providerUnavailable(detail);
}

/** PayPal's error body. */
interface ErrorBody {
  readonly name?: string;
  readonly debug_id?: string;
  readonly details?: readonly { readonly issue?: string }[];
}

function nameOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'no response';
}
