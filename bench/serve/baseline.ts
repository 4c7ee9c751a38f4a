import { createServer } from 'node:http'

/** The least a server can do: parse the same body and send a reply of the same size. */
const [port = '0', replyBytes = '600'] = process.argv.slice(2)
const reply = JSON.stringify({ ad: 'x'.repeat(Math.max(1, Number(replyBytes) - 9)) })
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(reply) }

const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const text = chunks.length === 1 ? chunks[0]!.toString() : Buffer.concat(chunks).toString()
    if (text) JSON.parse(text)
    response.writeHead(200, headers).end(reply)
  })
})
server.listen(Number(port), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
