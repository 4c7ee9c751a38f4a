import { expect, test } from 'vitest'
import { addUser, PASSWORD, signInAs, startServer } from '../../testing/server.ts'

test('who signs in may read who they are', async () => {
  const server = await startServer()
  const { email } = await addUser(server.deps, 'operator')

  const { headers } = await signInAs(server, email)
  const me = await server.http.inject({ url: '/api/v1/me', headers })

  expect(me.statusCode).toBe(200)
  expect(me.json()).toMatchObject({ kind: 'user', user: { email, role: 'operator' } })
})

test('a wrong password and an unknown address are told the same', async () => {
  const server = await startServer()
  const { email } = await addUser(server.deps, 'operator')
  const signIn = (payload: object) =>
    server.http.inject({ method: 'POST', url: '/api/v1/auth/sign-in', payload })

  const wrong = await signIn({ email, password: 'not the password' })
  const unknown = await signIn({ email: 'nobody@test.example', password: PASSWORD })

  expect(wrong.statusCode).toBe(401)
  expect({ ...unknown.json(), instance: '' }).toEqual({ ...wrong.json(), instance: '' })
})
