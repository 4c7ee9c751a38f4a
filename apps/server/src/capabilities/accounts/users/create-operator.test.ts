import { expect, test } from 'vitest'
import { passwords, PASSWORD, signInAs, startServer } from '../../../testing/server.ts'
import { enrolOperator } from './create-operator.ts'

const ADA = {
  email: 'ada@company.example',
  displayName: 'Ada',
  password: PASSWORD,
  accountName: 'Company',
}

test('the first operator is created with the platform account, and has every permission', async () => {
  const server = await startServer()
  const deps = { ...server.deps, passwords }

  await enrolOperator(deps, ADA)
  await enrolOperator(deps, { ...ADA, email: 'bob@company.example', accountName: 'Another' })

  const { headers } = await signInAs(server, ADA.email)
  const list = async (path: string) =>
    (await server.http.inject({ url: `/api/v1/admin${path}`, headers })).json().items
  expect(await list('/accounts')).toMatchObject([{ kind: 'platform', name: 'Company' }])
  expect(await list('/users')).toMatchObject([
    { email: 'bob@company.example', role: 'operator', accountName: 'Company' },
    { email: 'ada@company.example', role: 'operator', accountName: 'Company' },
  ])
  const made = deps.audited.find(({ action }) => action === 'user.create')
  expect(made?.actor.principal.id).toBe(made?.entityId)
})

test('an address that is taken, in whatever case, gets no second user', async () => {
  const server = await startServer()
  const deps = { ...server.deps, passwords }
  await enrolOperator(deps, ADA)

  const again = enrolOperator(deps, { ...ADA, email: 'ADA@Company.example' })

  await expect(again).rejects.toMatchObject({ kind: { code: 'EMAIL_EXISTS' } })
})
