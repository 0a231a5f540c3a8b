import { createHash } from 'node:crypto';
import Joi from 'joi';
import { defineJob } from '../platform/queue/job.js';

export interface NotifyUserPayload {
  readonly userId: string;
  /** The mail is `mail.<key>.subject` and `mail.<key>.text`, in the user's language. */
  readonly key: string;
  /** Interpolated into both; `firstName` and `userCode` are always there. */
  readonly values: Readonly<Record<string, string | number>>;
  /**
   * What it is about, such as a content's id: of two notices that are equal in everything and wait at the same time,
   * one is sent.
   */
  readonly event?: string | undefined;
}

/** Tells a user something by mail. */
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
  /** Address with `${token}` in it. The token itself is made when the mail is sent, and stands in no queue. */
  readonly activationUrl: string;
}

/** Sends the mail that activates an account; `docs/contract.md#choices-users`. */
export const sendActivation = defineJob({
  name: 'user.sendActivation',
  queue: 'mail',
  payload: Joi.object<SendActivationPayload, true>({
    userId: Joi.string().uuid().required(),
    activationUrl: Joi.string().required(),
  }),
  key: ({ userId }) => `activation-${userId}`,
  attempts: 8,
  backoffMs: 10_000,
  timeoutMs: 60_000,
});

export interface SendRenewalPayload {
  /** Of nobody, where the name that was given is nobody's. */
  readonly userId: string;
  /** Address with `${token}` in it; see `SendActivationPayload`. */
  readonly confirmationUrl: string;
}

/** Sends the link that renews a password; `docs/contract.md#choices-users`. */
export const sendRenewal = defineJob({
  name: 'user.sendRenewal',
  queue: 'mail',
  payload: Joi.object<SendRenewalPayload, true>({
    userId: Joi.string().uuid().required(),
    confirmationUrl: Joi.string().required(),
  }),
  key: ({ userId }) => `renewal-${userId}`,
  attempts: 8,
  backoffMs: 10_000,
  timeoutMs: 60_000,
});

export interface SendNewPasswordPayload {
  readonly userId: string;
  /** What the password is derived from; the password itself stands in no queue. */
  readonly renewalId: string;
}

/** Sends the password that a renewal has made. */
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
