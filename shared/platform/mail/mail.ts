/** One mail, in its reader's language. */
export interface Message {
  /** One plain address: no display name and no list. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail via SMTP, or stores it as files under DATA_DIR/mail. Rejects if a mail was not accepted. */
export interface Mailer {
  send(message: Message): Promise<void>;
}

export interface OpenMailer extends Mailer {
  /** Rejects if the mail server is unreachable or rejects the login. */
  check(): Promise<void>;
  close(): Promise<void>;
}
