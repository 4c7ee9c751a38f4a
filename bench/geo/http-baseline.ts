import { createServer } from 'node:http'

/** The least an ingest can do: read the body and answer 202. */
createServer((request, response) => {
  request.on('data', () => {})
  request.on('end', () => response.writeHead(202, { 'content-length': 0 }).end())
}).listen(Number(process.argv[2]), '127.0.0.1')
process.on('SIGTERM', () => process.exit(0))
