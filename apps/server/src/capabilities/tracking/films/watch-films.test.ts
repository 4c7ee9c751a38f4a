import { expect, test } from 'vitest'
import { silentLog } from '../../../testing/silent-log.ts'
import { addAd, addCampaign, aMarket, eventsOf, settlerOn, stepOf } from '../testing.ts'
import { filmNotice, isFailing } from './failing-film.ts'
import { watchFilmsJob } from './jobs.ts'

test.each([
  [{ starts: 100, errors: 11 }, true],
  [{ starts: 100, errors: 10 }, false],
  [{ starts: 99, errors: 50 }, false],
  [{ starts: 0, errors: 100 }, true],
  [{ starts: 0, errors: 99 }, false],
  [{ starts: 5_000, errors: 501 }, true],
  [{ starts: 5_000, errors: 500 }, false],
])('a film is failing above 10 %% errors of 100 starts: %o is %s', (counts, expected) => {
  expect(isFailing({ ...counts, code: 401 })).toBe(expected)
})

test('a film that never started says so, and the most frequent code is told in words', () => {
  expect(filmNotice('Autumn', { starts: 0, errors: 120, code: 401 }).words).toContain(
    'every attempt ended in an error: 120 errors, 0 starts. Most often the file was not found (code 401)',
  )
  expect(filmNotice('Autumn', { starts: 1_000, errors: 140, code: 450 }).words).toContain(
    '14 % of its starts ended in an error: 140 errors, 1000 starts. Most often an error of its own (code 450)',
  )
})

async function aWatchedFilm() {
  const market = await aMarket()
  const { pool, deps, db } = market
  const campaignKey = await addCampaign(market)
  const { bannerKey } = await addAd(market, campaignKey)
  await pool.query(
    `insert into recipients (public_id, account_id, name, mail_to, confirmed_mail, topics, sealed_secret, created_at, updated_at)
     values (gen_random_uuid(), $1, 'Ada', '{ada@northwind.example}', '{ada@northwind.example}', '{film-errors}', '', now(), now())`,
    [market.accountId],
  )
  const play = async (names: readonly string[], label: 'valid' | 'bot' = 'valid') => {
    const steps = names.map((name) => {
      const shown = eventsOf(market)({ campaignKey, bannerKey, label })
      return stepOf(shown, name)
    })
    await settlerOn(market).settle(steps, { countsRepeats: true })
  }
  const context = { log: silentLog(), signal: new AbortController().signal, progress: () => {} }
  const watch = () => watchFilmsJob.run({}, { db, clock: deps.clock, ids: deps.ids }, context)
  const told = async () => (await pool.query('select topic, subject, words from notices')).rows
  return { market, play, watch, told }
}

const times = (count: number, name: string) => Array.from({ length: count }, () => name)

test('its advertiser is told once a day, with the code that came most often', async () => {
  const { market, play, watch, told } = await aWatchedFilm()
  await play([...times(100, 'start'), ...times(9, 'error-401'), ...times(3, 'error-403')])

  await watch()
  await watch()

  expect(await told()).toMatchObject([
    {
      topic: 'film-errors',
      subject: 'Players cannot play "Leaves"',
      words: expect.stringContaining('12 errors, 100 starts. Most often the file was not found'),
    },
  ])
  market.deps.clock.moveTo('2026-06-16T06:00:00Z')
  await watch()
  expect(await told()).toHaveLength(2)
})

test('errors of robots, and errors of more than a day ago, tell nobody', async () => {
  const { market, play, watch, told } = await aWatchedFilm()
  await play(times(100, 'start'))
  await play(times(50, 'error-401'), 'bot')
  await watch()
  expect(await told()).toEqual([])

  await play(times(50, 'error-401'))
  market.deps.clock.moveTo('2026-06-17T12:00:00Z')
  await watch()
  expect(await told()).toEqual([])
})
