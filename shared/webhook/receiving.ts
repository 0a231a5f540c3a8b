/**
 * SQL: a row `webhook` of `webhooks` gets events. Nothing is sent for a user whose account is disabled, nor recorded: the requests would
 * still come from this service.
 */
export const isReceiving = `webhook.enabled
  AND EXISTS (SELECT 1 FROM users owner WHERE owner.id = webhook.owner_id AND owner.state = 'ACTIVE')`;
