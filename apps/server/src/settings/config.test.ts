import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { linkSchemesOf, readConfig } from './config.ts'
import { envExample, settingsReference } from '../reference/settings.ts'

const ROOT = path.join(import.meta.dirname, '../../../..')
const read = (file: string) => readFile(path.join(ROOT, file), 'utf8')

test('nothing has to be set for the demo', () => {
  expect(readConfig({})).toMatchObject({ API_PORT: 8080, PLACARD_ROLE: 'all' })
})

test('an empty value counts as not set', () => {
  expect(readConfig({ DATABASE_URL: '', API_PORT: '' }).API_PORT).toBe(8080)
})

test('every fault is reported at once', () => {
  const wrong = { API_PORT: 'eighty', DATABASE_URL: 'mysql://x', PLACARD_MODE: 'production' }

  expect(() => readConfig(wrong)).toThrow(/API_PORT.*DATABASE_URL.*JWT_SECRET/)
})

test('a demo listens on loopback only, unless the operator says otherwise', () => {
  for (const API_HOST of ['127.0.0.1', '127.1.2.3', 'localhost', '::1']) {
    expect(readConfig({ API_HOST }).API_HOST).toBe(API_HOST)
  }
  for (const API_HOST of ['0.0.0.0', '::', '192.0.2.1', '127.0.0.1.example', 'ads.example']) {
    expect(() => readConfig({ API_HOST })).toThrow('DEMO_PUBLIC')
    expect(readConfig({ API_HOST, DEMO_PUBLIC: 'on' }).API_HOST).toBe(API_HOST)
  }
})

test('links may lead to other schemes than the web, but never to one that runs code', () => {
  const schemes = (LINK_SCHEMES: string) => linkSchemesOf(readConfig({ LINK_SCHEMES }))

  expect([...schemes('')]).toEqual(['http', 'https'])
  expect([...schemes('https, market')]).toEqual(['https', 'market'])
  expect(() => schemes('https,javascript')).toThrow('LINK_SCHEMES')
})

test('.env.example names every setting with its default', async () => {
  expect(await read('.env.example')).toBe(envExample())
})

test('the settings reference is made from the schema', async () => {
  expect(await read('docs/reference/settings.md')).toBe(settingsReference())
})

test('schedules that never come, or are none, are refused together and by name', () => {
  const start = () =>
    readConfig({
      CHANNEL_SYNC_CRON: '59 23 31 4,6,9,11 *',
      BANNER_STATS_ROLLUP_CRON: '99 99 * * *',
      BANNER_SCHEDULE_SYNC_CRON: 'every minute',
    })

  expect(start).toThrow(/CHANNEL_SYNC_CRON names a time that never comes/)
  expect(start).toThrow(/BANNER_STATS_ROLLUP_CRON is not a cron schedule/)
  expect(start).toThrow(/BANNER_SCHEDULE_SYNC_CRON must have five fields/)
})
