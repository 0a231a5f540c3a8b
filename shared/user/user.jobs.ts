import { createHash } from 'node:crypto';
import Joi from 'joi';
import { defineJob } from '../platform/queue/index.js';

export interface NotifyUserPayload {
  readonly userId: string;
  /** The mail is `mail.<key>.subject` and `mail.<key>.text`, in the user's language. */
  readonly key: string;
  /** Interpolated into both; `firstName` and `userCode` are added. */
  readonly values: Readonly<Record<string, string | number>>;
  /**
   * The subject of the notice, for example a content's id. Part of the deduplication key: of two equal waiting notices, one is
   * sent.
   */
  readonly event?: string | undefined;
}

/** Mails a notice to a user. */
export const notifyUser = defineJob({
  name: 'user.notify',
  queue: 'mail',
  payload: Joi.object<NotifyUserPayload, true>({
    userId: Joi.string().uuid().required(),
    key: Joi.string().required(),
    values: Joi.object()
      .pattern(Joi.string(), [Joi.string().allow(''), Joi.number()])
      .default({}),
    event: Joi.string(),
  }),
  key: (payload) =>
    `${payload.userId}-${payload.key}-${digest(JSON.stringify([payload.values, payload.event ?? null]))}`,
  attempts: 8,
  backoffMs: 10_000,
  timeoutMs: 60_000,
});

export interface SendActivationPayload {
  readonly userId: string;
  /**
   * URL template with `${token}`. The token is generated when the mail is sent, so it is never stored in a queue. Absent if the
   * account cannot be activated: its address belongs to another account.
   */
  readonly activationUrl?: string | undefined;
}

/**
 * Mails the activation link of an account or, if its address belongs to another account, notifies the owner of the address;
 * `docs/contract.md#choices-users`.
 */
export const sendActivation = defineJob({
  name: 'user.sendActivation',
  queue: 'mail',
  payload: Joi.object<SendActivationPayload, true>({
    userId: Joi.string().uuid().required(),
    activationUrl: Joi.string(),
  }),
  key: ({ userId }) => `activation-${userId}`,
  attempts: 8,
  backoffMs: 10_000,
  timeoutMs: 60_000,
});

export interface SendPasswordResetPayload {
  /** A random id if the requested account is unknown. */
  readonly userId: string;
  /** URL template with `${token}`; see `SendActivationPayload`. */
  readonly confirmationUrl: string;
  /** Part of the deduplication key: each request has a mail of its own. */
  readonly requestId: string;
}

/** Mails the password reset link; `docs/contract.md#choices-users`. */
export const sendPasswordReset = defineJob({
  name: 'user.sendRenewal',
  queue: 'mail',
  payload: Joi.object<SendPasswordResetPayload, true>({
    userId: Joi.string().uuid().required(),
    confirmationUrl: Joi.string().required(),
    requestId: Joi.string().uuid().required(),
  }),
  key: ({ userId, requestId }) => `renewal-${userId}-${requestId}`,
  attempts: 8,
  backoffMs: 10_000,
  timeoutMs: 60_000,
});

export interface SendNewPasswordPayload {
  readonly userId: string;
  /** The password is derived from this id; the password itself is never stored in a queue. */
  readonly renewalId: string;
}

/** Mails the password that a password reset has generated. */
export const sendNewPassword = defineJob({
  name: 'user.sendNewPassword',
  queue: 'mail',
  payload: Joi.object<SendNewPasswordPayload, true>({
    userId: Joi.string().uuid().required(),
    renewalId: Joi.string().uuid().required(),
  }),
  key: ({ renewalId }) => `new-password-${renewalId}`,
  attempts: 8,
  backoffMs: 10_000,
  timeoutMs: 60_000,
});

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
