import { DAY_MS, MINUTE_MS } from '@placard/calendar'
import { syncDeclaredCountry } from '../../../server/src/capabilities/accounts/index.ts'
import { replaySightings } from '../../../server/src/capabilities/geo-profile/index.ts'
import type { DemoDeps, People } from './world.ts'

const DAYS = 32
const DAYS_AWAY = 6

/**
 * A user who declares the United Kingdom but works from Lyon. For some days, while the laptop is in
 * Lyon, one of their phones is in Hanoi.
 */
export async function addSightings(deps: DemoDeps, { actors }: People): Promise<void> {
  const now = deps.clock.now().getTime()
  const laptop = { deviceSessionId: deps.ids.next(), country: 'FR' }
  const phone = { deviceSessionId: deps.ids.next(), country: 'VN' }
  const days = Array.from({ length: DAYS }, (_, day) => DAYS - day).flatMap((ago) => [
    { at: new Date(now - ago * DAY_MS), ...laptop },
    ...(ago <= DAYS_AWAY ? [{ at: new Date(now - ago * DAY_MS + MINUTE_MS), ...phone }] : []),
  ])
  const morning = [90, 80, 70, 60, 50, 40].map((minutes, place) => ({
    at: new Date(now - minutes * MINUTE_MS),
    ...(place % 2 === 0 ? laptop : phone),
  }))
  const userId = actors.advertiser2.principal.id
  await syncDeclaredCountry(deps, { publicId: userId, actor: actors.operator, country: 'GB' })
  await replaySightings(deps, {
    userId,
    declaredCountry: 'GB',
    sightings: [...days, ...morning],
  })
}
