import type { Credentials } from './credentials.js';
import type { Publication } from './publication.js';

export interface AuthenticationRequest {
  readonly application: 'live' | 'key';
  /**
   * Null when an encoder logs in at `connect`, before it names its stream: the credentials alone are to be checked. The
   * function is called again with the path.
   */
  readonly streamPath: string | null;
  readonly credentials: Credentials;
  readonly remoteAddress: string;
}

/**
 * The reason of a refusal is sent to the encoder and logged. It must not tell a wrong user from a wrong password. `detail` is
 * logged only.
 */
export type AuthenticationResult<Owner> =
  | { readonly allowed: true; readonly owner: Owner }
  | { readonly allowed: false; readonly reason: string; readonly detail?: string };

/** The decisions of the caller. If one fails, nothing is published. */
export interface PublishDecisions<Owner> {
  authenticate(request: AuthenticationRequest): Promise<AuthenticationResult<Owner>>;
  /** The encoder sends media only after this has resolved. The publication may already have ended. */
  onPublish(publication: Publication<Owner>): Promise<void> | void;
}

/** A connection or a stream that was not taken. */
export interface Refusal {
  readonly reason: string;
  readonly detail?: string;
  readonly remoteAddress: string;
  readonly application?: string;
  readonly streamPath?: string;
}
