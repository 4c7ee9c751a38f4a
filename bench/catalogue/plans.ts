import type { Pool } from 'pg'
import { say } from '../scratch.ts'

export interface Statement {
  readonly text: string
  readonly parameters: unknown[]
}

const LINES_MAX = 22

/** Shows how PostgreSQL finds the rows: the steps of the plan, their reads and times. */
export async function tellPlans(pool: Pool, name: string, statements: readonly Statement[]) {
  say(`\n${name}`)
  for (const { text, parameters } of statements) {
    const explain = 'explain (analyze, costs off, timing off, buffers off, summary on)'
    const { rows } = await pool.query(`${explain} ${text}`, parameters)
    const lines = rows
      .map((row) => String(row['QUERY PLAN']))
      .filter(
        (line) =>
          !/Cond:|Cache|Memory|Buckets|Heap Blocks|Index Searches|Hits:|Aggregate|InitPlan|Group Key/.test(
            line,
          ),
      )
    for (const line of lines.slice(0, LINES_MAX)) say(`  ${line.slice(0, 130)}`)
    if (lines.length > LINES_MAX) say(`  ${lines.at(-1)}`)
  }
}
