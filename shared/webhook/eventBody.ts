/** Version of the body. New members do not change it; every other change does. */
export const eventVersion = 1;

export interface NewEvent {
  /** The `webhook-id` of its deliveries. */
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly occurredAt: Date;
}

/** An event with its request body: `docs/contract.md#fields-event`. */
export function withBody({ id, type, occurredAt }: Omit<NewEvent, 'body'>, data: object): NewEvent {
  const body = JSON.stringify({ id, type, version: eventVersion, timestamp: occurredAt.toISOString(), data });
  return { id, type, body, occurredAt };
}
