import { ApiError, Client, CustomError } from '@paypal/paypal-server-sdk';
import type { PaymentConfig } from '../payment.settings.js';
import { callLimitMs, ProviderRefusal, providerAway } from '../providerCalls.js';

export interface PaypalOptions {
  readonly settings: NonNullable<PaymentConfig['paypal']>;
  readonly now: () => Date;
  /** How long one call may take; ten seconds where nothing else is said. */
  readonly limitMs?: number;
}

export type PaypalAsk = <Answer>(
  what: string,
  work: (client: Client, signal: AbortSignal) => Promise<Answer>,
) => Promise<Answer>;

/**
 * Asks PayPal. Throws UnavailableError where it is away, and ProviderRefusal where it refuses what is asked.
 * A client keeps its access token; one that failed is dropped, since the SDK never asks for a token again after a
 * request for one has failed.
 */
export function createPaypalAsk(options: PaypalOptions): PaypalAsk {
  const { limitMs = callLimitMs } = options;
  let kept: Client | undefined;
  return async function ask(what, work) {
    for (let repeated = false; ; repeated = true) {
      const client = (kept ??= clientOf(options));
      try {
        return await work(client, AbortSignal.timeout(limitMs));
      } catch (error) {
        const failure = failureOf(what, error);
        if (!(failure instanceof ProviderRefusal) && kept === client) kept = undefined;
        // A token may end before its time, where the credentials were renewed: once more, with a new one.
        if (repeated || !isTokenRefused(error)) throw failure;
      }
    }
  };
}

/** The SDK knows two addresses by name. Its requests are led to ours where they are built, those for tokens included. */
function clientOf({ settings, limitMs = callLimitMs }: PaypalOptions): Client {
  const { url, clientId, clientSecret } = settings;
  const base = url.replace(/\/+$/, '');
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
    httpClientOptions: { timeout: limitMs },
    clientCredentialsAuthCredentials: {
      oAuthClientId: clientId,
      oAuthClientSecret: clientSecret,
      // A token that ends while a request is under way would be refused.
      oAuthClockSkew: 60,
    },
  });
}

function pathOf(url: string): string {
  return url.slice(new URL(url).origin.length);
}

function isTokenRefused(error: unknown): boolean {
  return error instanceof CustomError && error.statusCode === 401;
}

function failureOf(what: string, error: unknown): Error {
  if (!(error instanceof ApiError)) return providerAway(`PayPal, ${what}: ${nameOf(error)}`);
  const { statusCode: status } = error;
  const { name, debug_id: debugId, details } = (error.result ?? {}) as Refused;
  const reason = details?.[0]?.issue ?? name ?? '';
  const detail = `PayPal, ${what}: ${status} ${reason} (debug id ${debugId ?? 'none'})`;
  const understood = status >= 400 && status < 500 && ![401, 403, 408, 429].includes(status);
  return understood ? new ProviderRefusal(status, reason, detail) : providerAway(detail);
}

/** PayPal's error body. */
interface Refused {
  readonly name?: string;
  readonly debug_id?: string;
  readonly details?: readonly { readonly issue?: string }[];
}

function nameOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string };
  return code ?? name ?? 'no answer';
}
