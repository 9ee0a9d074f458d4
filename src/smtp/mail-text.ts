/**
 * The texts of a mail in which keywords are searched. They are apart from `read-mail`, so that callers need not load the parser.
 */
export interface MailText {
  readonly subject: string;
  /** The plain parts, then the HTML parts as text. */
  readonly texts: readonly string[];
}

/** The text of an unreadable mail, even if the error comes late: half a mail may lack the word that makes it a failure. */
export const unreadableMail: MailText = { subject: '', texts: [] };
