import { expect, onTestFinished, test } from 'vitest'
import { walkFirstDay } from './first-day.ts'
import { startVisits } from './world.ts'

test('the first operator of an empty platform is led to the first impression counted on a page of another origin, from the console alone', async () => {
  const visits = await startVisits(onTestFinished)

  const { barriers, ticked } = await walkFirstDay(visits, async () => {})

  expect(barriers).toEqual([])
  expect(ticked).toEqual([
    'Protect your sign-in with a second step',
    'Name your organisation',
    'Send a test mail',
    'Make a publisher',
    'Add a site',
    'Make a placement',
    'Put the tag on a page',
    'Make an advertiser',
    'a sellpage is back',
    'Book and start a campaign',
    'all',
  ])
  expect(visits.faults).toEqual([])
}, 240_000)
