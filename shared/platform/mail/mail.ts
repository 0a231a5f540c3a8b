/** One mail, in its reader's language. */
export interface Message {
  /** One plain address: no display name and no list. */
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Sends mail by SMTP, or keeps it as files under DATA_DIR/mail. Rejects where a mail was not accepted. */
export interface Mailer {
  send(message: Message): Promise<void>;
}

export interface OpenMailer extends Mailer {
  /** Rejects where the mail server cannot be reached or refuses the login. */
  check(): Promise<void>;
  close(): Promise<void>;
}
