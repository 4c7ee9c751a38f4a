import { type BoundSocket, Socket } from 'node:net'

/** As much as Node reads at once. */
const READ_BYTES = 65_536
const shared = Buffer.allocUnsafeSlow(READ_BYTES)

/** What an accepted socket holds besides what is documented. */
interface Accepted {
  _handle: object | null
  _server: object | null
}

export interface Reading {
  /** To be used instead of the accepted one. */
  readonly socket: Socket
  /** What comes from now on is the stream's, as on any socket. */
  end(): void
}

/**
 * Hands over what comes on an accepted socket. Node makes 64 KB of memory for every read, which costs a
 * twentieth of a decision and half of a pause of the garbage collector. Its remedy, `onread`, is for
 * sockets that one makes oneself; so the connection moves to one of ours, and all of them are read into
 * the same memory: a chunk is good until `onChunk` returns. Where Node keeps its connections otherwise
 * than we know, they are read as ever.
 */
export function readShared(accepted: Socket, onChunk: (chunk: Buffer) => void): Reading {
  const inner = accepted as unknown as Accepted
  if (!mayMove(inner._handle)) return readAsEver(accepted, onChunk)
  let take: (chunk: Buffer) => boolean | void = onChunk
  const socket = new Socket({
    handle: inner._handle,
    allowHalfOpen: accepted.allowHalfOpen,
    onread: {
      buffer: shared,
      callback: (bytes) => take(shared.subarray(0, bytes)) !== false,
    },
  })
  // Whoever closes counts down the connections of the server.
  ;(socket as unknown as Accepted)._server = inner._server
  inner._handle = null
  inner._server = null
  return { socket, end: () => (take = (chunk) => socket.push(Buffer.from(chunk))) }
}

/** A handle that reads into memory it is given. */
const mayMove = (handle: object | null | undefined): handle is BoundSocket =>
  handle !== null && handle !== undefined && 'useUserBuffer' in handle

function readAsEver(socket: Socket, onChunk: (chunk: Buffer) => void): Reading {
  socket.on('data', onChunk)
  return { socket, end: () => socket.off('data', onChunk) }
}
