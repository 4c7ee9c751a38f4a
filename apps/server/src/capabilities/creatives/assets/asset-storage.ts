import type { Readable } from 'node:stream'

/** First and last byte, both inclusive. */
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

/** Storage of asset bytes. A key is written once and its content never changes. */
export interface AssetStorage {
  /** Durable when it returns. A reader sees the whole file or none. */
  save(key: string, file: StoredFile): Promise<void>
  /** The same for a file on disk, which stays where it is. */
  saveFile(key: string, file: FileOnDisk): Promise<void>
  /** Undefined if there is no such file. */
  read(key: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removing a missing file is allowed. */
  remove(key: string): Promise<void>
}

/** Keys become paths and addresses: anything but a public id is a bug. */
export function assertKey(key: string): void {
  if (!/^[0-9a-f-]{36}$/.test(key)) throw new Error(`not a storage key: ${key}`)
}
