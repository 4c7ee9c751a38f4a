import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { assertKey, type AssetStorage } from './asset-storage.ts'

/** Files in a folder, spread over 256 sub-folders by the end of their key. */
export function diskStorage(folder: string): AssetStorage {
  return {
    async save(key, { bytes }) {
      const file = fileOf(folder, key)
      const parent = path.dirname(file)
      await mkdir(parent, { recursive: true })
      await writeThrough(`${file}.part`, bytes)
      await rename(`${file}.part`, file)
      await syncFolder(parent)
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

async function writeThrough(file: string, bytes: Uint8Array): Promise<void> {
  await using handle = await open(file, 'w')
  await handle.writeFile(bytes)
  await handle.sync()
}

/** The new name is durable only once the folder is. */
async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder)
  await handle.sync()
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
