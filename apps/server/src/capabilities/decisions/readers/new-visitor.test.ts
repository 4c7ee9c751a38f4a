import { DAY_SECONDS } from '@placard/calendar'
import { expect, test } from 'vitest'
import { addAccount } from '../../../testing/world.ts'
import { aServingWorld, newRow } from '../../../testing/worlds/serving-world.ts'
import { BROWSER, startWhole } from '../../../testing/worlds/whole-world.ts'
import { publishers } from '../../inventory/tables.ts'

const USER = 'reader-1'

/** On each of two publishers' placements one ad for newcomers and one for returning visitors. */
async function aWelcome() {
  const world = await aServingWorld()
  const { deps, pool } = world
  const tribune = await addAccount(deps, 'publisher')
  const [publisher] = await deps.db
    .insert(publishers)
    .values({ ...newRow(deps, tribune), name: 'Tribune', currency: 'EUR' })
    .returning()
  const theirs = { accountId: tribune.id, publisherId: publisher!.id }
  for (const place of [{ slug: 'gazette-top' }, { slug: 'tribune-top', ...theirs }]) {
    const placement = await world.addPlacement({ ...place, mode: 'direct', maxBanners: 2 })
    for (const isNew of [true, false]) {
      const headline = isNew ? 'Hello' : 'Welcome back'
      const { campaign } = await world.addBooking(placement, { banner: { headline } })
      await pool.query(
        `insert into campaign_targeting_rules
           (public_id, account_id, campaign_id, rule_type, operator, value, created_at, updated_at)
         values (gen_random_uuid(), $1, $2, 'new_visitor', 'eq', $3, now(), now())`,
        [campaign.accountId, campaign.id, { value: isNew }],
      )
    }
  }
  return world
}

async function open(world: Awaited<ReturnType<typeof aWelcome>>) {
  const whole = await startWhole(world)
  const greet = async (
    slug: string,
    userId?: string,
    headers: Record<string, string> = BROWSER,
  ) => {
    const query = userId === undefined ? '' : `?userId=${userId}`
    const answer = await whole.http.inject({
      url: `/api/v1/banners/serve/${slug}${query}`,
      headers,
    })
    const { banners } = answer.json<{ banners: { headline: string }[] }>()
    return banners.map(({ headline }) => headline)
  }
  const why = async (userId: string) => {
    const asked = { placement: 'gazette-top', userId }
    const { context } = await whole.adminPost('/api/v1/admin/decisions/explain', asked)
    return context as { newVisitor?: boolean }
  }
  return { ...whole, greet, why }
}

test('a reader is new for a day at each publisher, and known after that, across restarts', async () => {
  const world = await aWelcome()
  const { clock } = world.deps
  const before = await open(world)
  const { greet, why, serving } = before

  expect(await greet('gazette-top', USER, { ...BROWSER, purpose: 'prefetch' })).toEqual(['Hello'])
  clock.advance(2 * DAY_SECONDS)
  expect(await why(USER)).toEqual({ newVisitor: true })
  expect(await greet('gazette-top', USER)).toEqual(['Hello'])
  clock.advance(DAY_SECONDS - 1)
  expect(await greet('gazette-top', USER)).toEqual(['Hello'])
  clock.advance(1)
  expect(await greet('gazette-top', USER)).toEqual(['Welcome back'])
  expect(await greet('tribune-top', USER)).toEqual(['Hello'])
  expect(await why(USER)).toEqual({ newVisitor: false })
  expect(await greet('gazette-top')).toEqual([])

  await serving.recorder.flush()
  const { rows } = await world.pool.query<{ isNew: string | null }>(
    `select context ->> 'newVisitor' as "isNew" from auctions order by auction_time, id`,
  )
  expect(rows.map(({ isNew }) => isNew)).toEqual(['true', 'true', 'false', 'true', null])

  await serving.stop()
  const after = await open(world)
  expect(await after.greet('gazette-top', USER)).toEqual(['Welcome back'])
  expect(await after.greet('gazette-top', 'somebody else')).toEqual(['Hello'])
})

test('what the server says of a visitor wins, a refusal makes nobody new, and a forgotten reader is new', async () => {
  const world = await aWelcome()
  const { adminPost, post, greet, pool } = { ...(await open(world)), ...world }
  const token = await adminPost('/api/v1/context-tokens', { newVisitor: false, userId: USER })
  const serve = async (body: object) => {
    const answer = await post('/api/v1/banners/serve', { slugs: ['gazette-top'], ...body })
    return answer.json().placements[0].banners.map(({ headline }: { headline: string }) => headline)
  }

  const consent = { storage: true, personalisation: false }
  expect(await serve({ userId: USER, consent })).toEqual([])
  expect(await greet('gazette-top', USER)).toEqual(['Hello'])
  expect(await serve({ contextToken: token['token'] })).toEqual(['Welcome back'])
  world.deps.clock.advance(DAY_SECONDS)
  expect(await greet('gazette-top', USER)).toEqual(['Welcome back'])

  await expect.poll(async () => (await pool.query('select from first_visits')).rowCount).toBe(1)
  const { erased } = await adminPost('/api/v1/privacy/forget', { userId: USER })
  expect(erased).toMatchObject({ visits: 1 })
  expect(await greet('gazette-top', USER)).toEqual(['Hello'])
})
