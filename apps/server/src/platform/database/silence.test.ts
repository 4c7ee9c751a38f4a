import { Pool } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { cuttable } from '../../testing/services/cuttable.ts'
import { freshDatabase } from '../../testing/services/database.ts'
import { breakSilent } from './silence.ts'

async function aPool(silenceMsMax: number) {
  const wire = await cuttable((await freshDatabase()).url)
  const pool = new Pool({ connectionString: wire.url, max: 1 })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  breakSilent(pool, silenceMsMax)
  const backend = async () => (await pool.query('select pg_backend_pid() as id')).rows[0].id
  return { wire, pool, backend }
}

test('a statement that a hanging server does not answer fails, and the next has another connection', async () => {
  const { wire, pool, backend } = await aPool(200)
  const first = await backend()
  wire.hang()

  await expect(pool.query('select 1')).rejects.toThrow('terminated')

  expect(await backend()).not.toBe(first)
})

test('a connection that nobody uses may be silent', async () => {
  const { pool, backend } = await aPool(60_000)
  const client = await pool.connect()
  const { stream } = client.connection
  client.release()
  const first = await backend()

  stream.emit('timeout')

  expect(await backend()).toBe(first)
})
