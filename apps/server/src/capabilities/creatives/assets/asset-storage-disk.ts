import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { assertKey, type AssetStorage } from './asset-storage.ts'

/** Files in a folder, spread over 256 sub-folders by the end of their key. */
export function diskStorage(folder: string): AssetStorage {
  return {
    async save(key, { bytes }) {
      await place(fileOf(folder, key), (part) => writeThrough(part, bytes))
    },

    async saveFile(key, { file }) {
      await place(fileOf(folder, key), (part) => copyThrough(file, part))
    },

    async read(key, range) {
      const handle = await open(fileOf(folder, key)).catch(ignoreMissing)
      return handle?.createReadStream({ ...range })
    },

    async remove(key) {
      await rm(fileOf(folder, key), { force: true })
    },
  }
}

function fileOf(folder: string, key: string): string {
  assertKey(key)
  return path.join(folder, key.slice(-2), key)
}

/** Writes to a temporary file and renames it, so that readers see the whole file or none. */
async function place(file: string, write: (part: string) => Promise<void>): Promise<void> {
  const parent = path.dirname(file)
  await mkdir(parent, { recursive: true })
  await write(`${file}.part`)
  await rename(`${file}.part`, file)
  await syncFolder(parent)
}

async function copyThrough(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await using handle = await open(to, 'r+')
  await handle.sync()
}

async function writeThrough(file: string, bytes: Uint8Array): Promise<void> {
  await using handle = await open(file, 'w', 0o600)
  await handle.writeFile(bytes)
  await handle.sync()
}

/** The new name is durable only after the folder is synced. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
