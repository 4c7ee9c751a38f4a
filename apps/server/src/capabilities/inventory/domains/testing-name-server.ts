import { createSocket } from 'node:dgram'
import { onTestFinished } from 'vitest'

/** A name server on this machine that knows the TXT records it is given. Returns its address. */
export async function aNameServer(records: ReadonlyMap<string, readonly string[]>) {
  const socket = createSocket('udp4')
  socket.on('message', (query, { port, address }) => {
    socket.send(answerTo(query, records), port, address)
  })
  await new Promise<void>((done) => void socket.bind(0, '127.0.0.1', done))
  onTestFinished(() => void socket.close())
  return `127.0.0.1:${socket.address().port}`
}

const HEADER_BYTES = 12
const NAME_ERROR = 3
const TXT = 16

/** RFC 1035, as little of it as a resolver needs: the header, the question again, and the records. */
function answerTo(query: Buffer, records: ReadonlyMap<string, readonly string[]>): Buffer {
  const { name, end } = questionOf(query)
  const texts = records.get(name)
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x81_80 | (texts ? 0 : NAME_ERROR), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(texts?.length ?? 0, 6)
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...(texts ?? []).map(recordOf)])
}

function questionOf(query: Buffer) {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.').toLowerCase(), end: at + 5 }
}

/** The name points back at the question; the text is one piece. */
function recordOf(text: string): Buffer {
  const fixed = Buffer.alloc(12)
  fixed.writeUInt16BE(0xc0_0c, 0)
  fixed.writeUInt16BE(TXT, 2)
  fixed.writeUInt16BE(1, 4)
  fixed.writeUInt32BE(60, 6)
  fixed.writeUInt16BE(text.length + 1, 10)
  return Buffer.concat([fixed, Buffer.from([text.length]), Buffer.from(text, 'latin1')])
}
