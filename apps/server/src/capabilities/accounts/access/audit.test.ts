import { expect, test } from 'vitest'
import { addUser, signInAs, startServer } from '../../../testing/server.ts'

test('the audit log is read by person and by time, the later end left out', async () => {
  const server = await startServer()
  const ana = await addUser(server.deps, 'operator')
  const { headers } = await signInAs(server, ana.email)
  const bo = await addUser(server.deps, 'operator')
  server.deps.clock.advance(60)
  await signInAs(server, bo.email)
  const at = server.deps.clock.now().toISOString()
  const read = async (query: string) => {
    const log = await server.http.inject({ url: `/api/v1/admin/audit-log?${query}`, headers })
    return log.json<{ items: { actorName: string }[] }>().items.map((one) => one.actorName)
  }

  expect(await read(`actorId=${bo.publicId}`)).toHaveLength(1)
  const since = await read(`occurredFrom=${at}`)
  const before = await read(`occurredBefore=${at}`)
  expect([since.length, before.length]).toEqual([1, 1])
  expect(await read(`occurredFrom=${at}&occurredBefore=${at}`)).toEqual([])
})
