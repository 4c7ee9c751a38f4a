import path from 'node:path'
import { readConfig } from '../apps/server/src/settings/config.ts'
import { repairGeoProfile, type Repair } from '../apps/server/src/compose/geo-repair.ts'

/**
 * `npm run repair-geo -- <what>`: repairs the geo profile of a running Placard.
 * `ranks` rebuilds scores from the hourly facts. `reviews` applies the review rule to every user.
 * `countries` compares declared countries with the User Service. `forget <user id>` deletes a user.
 */
const [what = '', userId] = process.argv.slice(2)
const progress = (message: string) => console.error(message)
const REPAIRS = ['ranks', 'reviews', 'countries', 'forget']

if (!REPAIRS.includes(what) || (what === 'forget' && !userId)) {
  console.error(`Name what to repair: ${REPAIRS.join(', ')} <user id>.`)
  process.exitCode = 1
} else {
  const config = readConfig(process.env)
  const home = path.resolve(config.PLACARD_HOME)
  const figures = await repairGeoProfile(config, { what: what as Repair, userId, home, progress })
  console.log(JSON.stringify(figures))
}
