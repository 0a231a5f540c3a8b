import Joi from 'joi';
import { defineJob } from '../platform/queue/index.js';

export interface SendEmailChangePayload {
  readonly changeId: string;
  /**
   * `confirm`: the link, to the new address. `requested`: notifies the old address of the request. `changed`: notifies the old
   * address that the new one has taken effect.
   */
  readonly mail: 'confirm' | 'requested' | 'changed';
}

/** Sends a mail about the change of an e-mail address; `docs/contract.md#choices-users`. */
export const sendEmailChange = defineJob({
  name: 'user.sendEmailChange',
  queue: 'mail',
  payload: Joi.object<SendEmailChangePayload, true>({
    changeId: Joi.string().uuid().required(),
    mail: Joi.string().valid('confirm', 'requested', 'changed').required(),
  }),
  key: ({ changeId, mail }) => `email-change-${changeId}-${mail}`,
  attempts: 8,
  backoffMs: 10_000,
  timeoutMs: 60_000,
});
