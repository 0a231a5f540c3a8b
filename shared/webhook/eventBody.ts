/** Of the body. Members are only added to it without a new version. */
export const eventVersion = 1;

export interface NewEvent {
  /** The `webhook-id` of its deliveries. */
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly occurredAt: Date;
}

/** An event as it is sent: `docs/contract.md#fields-event`. */
export function withBody({ id, type, occurredAt }: Omit<NewEvent, 'body'>, data: object): NewEvent {
  const body = JSON.stringify({ id, type, version: eventVersion, timestamp: occurredAt.toISOString(), data });
  return { id, type, body, occurredAt };
}
