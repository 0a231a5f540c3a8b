import type { Credentials } from './encoderCredentials.js';
import type { RtmpPublication } from './publication.js';

export interface AuthenticationRequest {
  readonly application: 'live' | 'key';
  /**
   * Null if an encoder logs in at `connect`, before it names its stream: only the credentials have to be checked, and the function
   * is called again with the path.
   */
  readonly streamPath: string | null;
  readonly credentials: Credentials;
  readonly remoteAddress: string;
}

/**
 * The reason of a refusal is sent to the encoder and logged. It must not distinguish a wrong user from a wrong password. `detail`
 * is only logged.
 */
export type AuthenticationResult<Owner> =
  | { readonly allowed: true; readonly owner: Owner }
  | { readonly allowed: false; readonly reason: string; readonly detail?: string };

/** The decisions of the caller. If a function fails, the encoder is refused. */
export interface PublishDecisions<Owner> {
  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult<Owner>>;
  /**
   * The encoder sends media only after this has resolved. The publication may already have ended. A text is the reason of a late
   * refusal.
   */
  onPublish(publication: RtmpPublication<Owner>): Promise<string | void> | string | void;
}

/** A refused connection or stream. Never contains a password. */
export interface Refusal {
  readonly reason: string;
  readonly detail?: string;
  readonly remoteAddress: string;
  readonly application?: string;
  readonly streamPath?: string;
  readonly user?: string;
}

/** The part of a refusal that the caller has decided. */
export function encoderRefusalOf({
  reason,
  detail,
}: Extract<AuthenticationResult<unknown>, { allowed: false }>): Pick<Refusal, 'reason' | 'detail'> {
  return detail === undefined ? { reason } : { reason, detail };
}

const cannotDecide = 'The server cannot accept the stream now.';

/** Calls `authenticate`. If it fails, the encoder is refused, and the error is part of the result. */
export async function authenticateEncoder<Owner>(
  decisions: PublishDecisions<Owner>,
  request: AuthenticationRequest,
): Promise<AuthenticationResult<Owner> & { readonly err?: unknown }> {
  try {
    return await decisions.authenticate(request);
  } catch (err) {
    return { allowed: false, reason: cannotDecide, err };
  }
}

/** Offers a publication to the caller. Resolves with null if it is accepted, or with the reason of the refusal. */
export async function offer<Owner>(
  decisions: PublishDecisions<Owner>,
  publication: RtmpPublication<Owner>,
): Promise<{ readonly reason: string; readonly err?: unknown } | null> {
  try {
    const reason = await decisions.onPublish(publication);
    return typeof reason === 'string' ? { reason } : null;
  } catch (err) {
    return { reason: cannotDecide, err };
  }
}
