import { createTransport } from 'nodemailer'

export interface Mail {
  /** The same on every attempt: mail programs drop duplicates by it. */
  readonly id: string
  readonly to: readonly string[]
  readonly subject: string
  readonly text: string
  readonly attachment?: { readonly name: string; readonly content: Buffer } | undefined
}

export interface Mailer {
  /** Throws unless the mail server accepted the mail. */
  send(mail: Mail): Promise<void>
  close(): void
}

export interface MailerOptions {
  /** `smtp://user:password@host:587`; `smtps:` for TLS from the first byte. */
  readonly url: string
  readonly from: string
}

const CONNECT_MS = 10_000
const ANSWER_MS = 30_000

/** Sends through the operator's mail server; never reads files or addresses that a mail might name. */
export function createMailer({ url, from }: MailerOptions): Mailer {
  const transport = createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: ANSWER_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.split('@').at(-1)!.replace(/>.*$/, '')
  return {
    async send({ id, to, subject, text, attachment }) {
      await transport.sendMail({
        from,
        to: [...to],
        subject,
        text,
        messageId: `<${id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(attachment && {
          attachments: [{ filename: attachment.name, content: attachment.content }],
        }),
      })
    },
    close: () => transport.close(),
  }
}
