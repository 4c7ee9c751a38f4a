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

const GOOD = {
  PLACARD_MODE: 'production',
  JWT_SECRET: 'k3P9xV0mWq8S2n6uB1eT9yRk3oL7aHfD',
  USER_KEY_SECRET: 'Wm4rT8cZ0qLx2Vn6Jb9sYk5Hd7Pf3GaE',
  ENCRYPTION_SECRET: 'e7Rz1Kq9Lw3Xc5Vb8Nm2Jh6Gf4Ds0PaT',
  TRACKING_KEYS: '1:q2W4e6R8t0Y1u3I5o7P9a2S4d6F8g0H1',
}

test.each([
  ['JWT_SECRET', 'a'.repeat(32)],
  ['USER_KEY_SECRET', 'password'.repeat(4)],
  ['ENCRYPTION_SECRET', '0123456789abcdef0123456789abcdef'],
  ['TRACKING_KEYS', `1:q2W4e6R8t0Y1u3I5o7P9a2S4d6F8g0H1,2:${'a'.repeat(32)}`],
  ['JWT_SECRET_OTHER', 'abc'.repeat(11)],
])(
  'production does not start with a %s that is easy to guess, and names it',
  async (name, secret) => {
    const config = readConfig({ ...GOOD, [name]: secret })

    await expect(readSecrets(config)).rejects.toThrow(new RegExp(`^${name}: too easy to guess`))
  },
)

test('production starts with secrets as openssl makes them', async () => {
  expect(await readSecrets(readConfig(GOOD))).toMatchObject({ jwtSecret: GOOD.JWT_SECRET })
})
