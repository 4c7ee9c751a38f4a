import { loadavg } from 'node:os'
import { measureDecisions } from './decisions.ts'
import { measureJobs } from './jobs.ts'

/**
 * Many nodes: the costs of Redis per decision, of a second process, and of the jobs port.
 * `--only-decisions` skips the jobs.
 */
const args = process.argv.slice(2)
const [count = 5, seconds = 5, jobs = 10_000] = args.filter((arg) => /^\d/.test(arg)).map(Number)
const figures = {
  ...(await measureDecisions({ count, seconds })),
  ...(!args.includes('--only-decisions') && (await measureJobs({ jobs, rounds: count }))),
}
console.log(JSON.stringify({ ...figures, loadAverage: loadavg()[0] }))
