import { expect, onTestFinished, test } from 'vitest'
import { scratchFolder } from '../../testing/server.ts'
import { findRunning, startEmbedded } from './embedded.ts'
import { claimApi } from './only-api.ts'

test('a second start leaves the database of a living api alone, and takes over that of a dead one', async () => {
  const folder = await scratchFolder()
  const options = { folder, settings: ['fsync=off'], progress: () => {} }
  const first = await startEmbedded(options)
  const claim = await claimApi(first.url, { isShared: false })

  await expect(startEmbedded(options)).rejects.toThrow('Another Placard runs on')
  expect((await findRunning(folder))?.url).toBe(first.url)

  await claim.release()
  const second = await startEmbedded(options)
  onTestFinished(() => second.stop())
  expect((await findRunning(folder))?.url).toBe(second.url)
  expect(second.url).not.toBe(first.url)
})
