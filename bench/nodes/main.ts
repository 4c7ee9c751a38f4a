import { loadavg } from 'node:os'
import { measureDecisions } from './decisions.ts'
import { measureJobs } from './jobs.ts'

/**
 * Many nodes: what Redis costs a decision, what a second process costs, what the jobs port costs.
 * `--only-decisions` leaves the jobs out.
 */
const args = process.argv.slice(2)
const [count = 5, seconds = 5, jobs = 10_000] = args.filter((arg) => /^\d/.test(arg)).map(Number)
const figures = {
  ...(await measureDecisions({ count, seconds })),
  ...(!args.includes('--only-decisions') && (await measureJobs({ jobs, rounds: count }))),
}
console.log(JSON.stringify({ ...figures, loadAverage: loadavg()[0] }))
