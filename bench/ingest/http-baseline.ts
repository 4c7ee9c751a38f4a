import { createServer } from 'node:http'

/** The least a pixel server can do: answer with the picture. */
const GIF = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
const headers = { 'content-type': 'image/gif', 'content-length': GIF.length }

createServer((_request, response) => {
  response.writeHead(200, headers).end(GIF)
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
