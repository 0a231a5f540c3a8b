/** One mail, already in its reader's language. */
export interface Message {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail by SMTP, or keeps it as files under DATA_DIR/mail. Throws where it could not be handed over. */
export interface Mailer {
  send(message: Message): Promise<void>;
}
