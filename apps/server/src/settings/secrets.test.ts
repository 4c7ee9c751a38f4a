import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { readSecrets } from './secrets.ts'
import { scratchFolder } from '../testing/server.ts'

const long = (letter: string) => letter.repeat(40)

test('the demo makes its secrets once and keeps them', async () => {
  const config = readConfig({ PLACARD_HOME: await scratchFolder() })

  const made = await readSecrets(config)

  expect(Object.values(made).every((secret) => secret.length >= 32)).toBe(true)
  expect(new Set(Object.values(made)).size).toBe(Object.keys(made).length)
  expect(await readSecrets(config)).toEqual(made)
})

test('a secret that a newer program needs is added, and the others stay', async () => {
  const home = await scratchFolder()
  const file = path.join(home, 'secrets.json')
  await writeFile(file, JSON.stringify({ jwtSecret: long('j') }))

  const secrets = await readSecrets(readConfig({ PLACARD_HOME: home }))

  expect(secrets.jwtSecret).toBe(long('j'))
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(secrets)
})

test('a secret that is given wins over the kept one', async () => {
  const home = await scratchFolder()
  await readSecrets(readConfig({ PLACARD_HOME: home }))

  const secrets = await readSecrets(
    readConfig({ PLACARD_HOME: home, USER_KEY_SECRET: long('u'), JWT_SECRET: long('j') }),
  )

  expect(secrets).toMatchObject({ jwtSecret: long('j'), userKeySecret: long('u') })
})

test('production wants every secret given', () => {
  expect(() => readConfig({ PLACARD_MODE: 'production' })).toThrow(
    /JWT_SECRET must be given.*USER_KEY_SECRET must be given.*TRACKING_KEYS must be given/,
  )
})
