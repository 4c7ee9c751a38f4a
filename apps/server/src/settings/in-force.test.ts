import { expect, test } from 'vitest'
import { givenSettings, readConfig } from './config.ts'
import { settingsInForce } from './in-force.ts'

function inForce(environment: Record<string, string>) {
  const settings = settingsInForce(readConfig(environment), givenSettings(environment))
  return new Map(settings.map((setting) => [setting.name, setting]))
}

test('a setting says its value and whether somebody gave it', () => {
  const settings = inForce({ API_PORT: '8080', LOG_LEVEL: '' })

  expect(settings.get('API_PORT')).toMatchObject({ value: '8080', source: 'environment' })
  expect(settings.get('LOG_LEVEL')).toMatchObject({ value: 'info', source: 'default' })
  expect(settings.get('PUBLIC_URL')).toMatchObject({ value: null, isSet: false })
})

test('of a secret only whether it is set is told', () => {
  const settings = inForce({
    JWT_SECRET: 'hush-hush-hush-hush-hush-hush-hush',
    DATABASE_URL: 'postgres://placard:hush@db/placard',
    REDIS_PASSWORD: 'hush',
    SMTP_URL: 'smtp://user:hush@mail',
    MAIL_FROM: 'ads@shop.example',
  })

  expect(settings.get('JWT_SECRET')).toMatchObject({ value: null, isSet: true, isSecret: true })
  expect(settings.get('ENCRYPTION_SECRET')).toMatchObject({ isSet: false, isSecret: true })
  expect(JSON.stringify([...settings.values()])).not.toContain('hush')
})

test('every setting that is called a key, a secret, a password or a token is one', () => {
  const open = [...inForce({}).values()].filter(({ isSecret }) => !isSecret)

  expect(open.filter(({ name }) => /SECRET|PASSWORD|TOKEN$|_KEYS?$/.test(name))).toEqual([])
})

test('what is secret in an address is left out', () => {
  const settings = inForce({
    GEOIP_URL: 'https://user:hush@geo.example/file?license_key=hush',
    CRAWL_ALLOWED_HOSTS: 'a.example,b.example',
  })

  expect(settings.get('GEOIP_URL')!.value).toBe('https://…@geo.example/file?…')
  expect(settings.get('CRAWL_ALLOWED_HOSTS')!.value).toBe('a.example,b.example')
})
