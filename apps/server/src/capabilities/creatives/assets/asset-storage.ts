import type { Readable } from 'node:stream'

/** First and last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

interface StoredFile {
  readonly bytes: Uint8Array
  readonly contentType: string
}

interface FileOnDisk {
  readonly file: string
  readonly contentType: string
}

/** Where the bytes of assets lie. A key is written once and never changes its content. */
export interface AssetStorage {
  /** Durable when it returns; a reader sees the whole file or none. */
  save(key: string, file: StoredFile): Promise<void>
  /** The same for bytes that lie in a file, which stays where it is. */
  saveFile(key: string, file: FileOnDisk): Promise<void>
  /** Undefined when there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removing what is not there is fine. */
  remove(key: string): Promise<void>
}

/** Keys become paths and addresses: anything but a public id is a bug. */
export function assertKey(key: string): void {
  if (!/^[0-9a-f-]{36}$/.test(key)) throw new Error(`not a storage key: ${key}`)
}
