import { expect, onTestFinished, test } from 'vitest'
import { addUser, PASSWORD } from '../../apps/server/src/testing/server.ts'
import { aServingWorld } from '../../apps/server/src/testing/worlds/serving-world.ts'
import { startWhole } from '../../apps/server/src/testing/worlds/whole-world.ts'
import { attack } from './attacks.ts'
import { type Answer, prepareTarget, type Send, signIn } from './target.ts'

test('no attempt of strangers, competitors or sellers to cheat, stop or blind the platform succeeds', async () => {
  const settings = { PUBLIC_URL: 'http://127.0.0.1:8080', OIDC_ALLOWED_HOSTS: '127.0.0.1' }
  const { http, deps } = await startWhole(await aServingWorld(), { settings })
  const send: Send = async (method, path, { as, body, file, headers } = {}) => {
    const answer = await http.inject({
      method: method as 'GET',
      url: path,
      headers: { ...as, ...(file && { 'content-type': file.type }), ...headers },
      ...(body !== undefined && { payload: body as object }),
      ...(file && { payload: file.bytes }),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      headers: answer.headers as Answer['headers'],
      body: isJson ? answer.json<Record<string, unknown>>() : {},
    }
  }
  const { email } = await addUser(deps, 'operator')
  const operator = await signIn(send, { email, password: PASSWORD })

  const { now } = deps.clock
  const calm = async () => deps.clock.advance(61)
  const asked = { operator, name: 'attack', now, calm, atEnd: onTestFinished }
  const verdict = await attack(await prepareTarget(send, asked))

  expect(verdict.broken).toEqual([])
  expect(verdict.tried).toBeGreaterThan(110)
})
