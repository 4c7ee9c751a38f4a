import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { onTestFinished } from 'vitest'

export interface TakenMail {
  readonly to: readonly string[]
  /** Headers and body as received. */
  readonly raw: string
  /** The attachment, decoded. */
  readonly file: string | undefined
}

/** A mail server for one test. It accepts each mail, or refuses it with the given words. */
export async function startMailServer(refuse: () => string | undefined = () => undefined) {
  const mails: TakenMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const words = refuse()
        if (words) return done(new Error(words))
        const raw = Buffer.concat(chunks).toString()
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push({ to, raw, file: attachedTo(raw) })
        return done()
      })
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
  const { port } = server.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails }
}

function attachedTo(raw: string): string | undefined {
  const part = raw.split(/\r\n--/).find((one) => /content-disposition: attachment/i.test(one))
  if (part === undefined) return undefined
  const [head = '', ...body] = part.split('\r\n\r\n')
  const text = body.join('\r\n\r\n')
  return /base64/i.test(head) ? Buffer.from(text, 'base64').toString() : text
}
