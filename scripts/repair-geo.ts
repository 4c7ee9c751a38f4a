import path from 'node:path'
import { readConfig } from '../apps/server/src/settings/config.ts'
import { repairGeoProfile, type Repair } from '../apps/server/src/compose/geo-repair.ts'

/**
 * `npm run repair-geo -- <what>`: mends the geo profile beside a Placard that runs.
 * `ranks` makes scores anew from the hourly facts; `reviews` asks the review rule about everybody;
 * `countries` compares declared countries with the User Service; `forget <user id>` forgets somebody.
 */
const [what = '', userId] = process.argv.slice(2)
const progress = (message: string) => console.error(message)
const REPAIRS = ['ranks', 'reviews', 'countries', 'forget']

if (!REPAIRS.includes(what) || (what === 'forget' && !userId)) {
  console.error(`Say what to repair: ${REPAIRS.join(', ')} <user id>.`)
  process.exitCode = 1
} else {
  const config = readConfig(process.env)
  const home = path.resolve(config.PLACARD_HOME)
  const figures = await repairGeoProfile(config, { what: what as Repair, userId, home, progress })
  console.log(JSON.stringify(figures))
}
