import { loadavg } from 'node:os'
import { measureDecisions } from './decisions.ts'
import { measureJobs } from './jobs.ts'

/** Many nodes: what Redis costs a decision, what a second process costs, what the jobs port costs. */
const [count = 5, seconds = 5, jobs = 10_000] = process.argv.slice(2).map(Number)
const figures = {
  ...(await measureDecisions({ count, seconds })),
  ...(await measureJobs({ jobs, turns: count })),
}
console.log(JSON.stringify({ ...figures, loadAverage: loadavg()[0] }))
