import { randomBytes } from 'node:crypto'
import { parseArgs } from 'node:util'
import { makeOperator, removeFactorsOf } from '../apps/server/src/compose/operator.ts'
import { readConfig } from '../apps/server/src/settings/config.ts'
import { Problem, StartRefused } from '../apps/server/src/platform/problem.ts'

/**
 * `npm run operator -- ada@company.example`: creates an operator and prints the password once.
 * `npm run operator -- --reset-factors ada@company.example`: removes a user's second factors.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { 'reset-factors': { type: 'boolean' } },
  })
  const [email] = positionals
  if (!email || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254) {
    throw new StartRefused('Give an e-mail address: npm run operator -- ada@company.example')
  }
  return values['reset-factors'] ? resetFactors(email) : addOperator(email)
}

async function addOperator(email: string): Promise<void> {
  const password = randomBytes(18).toString('base64url')
  await makeOperator(readConfig(process.env), { email, password })
  console.log(
    `${email} is now an operator.\nPassword, shown only this once: ${password}\nSign in to the console with it, and change it under Account.`,
  )
}

async function resetFactors(email: string): Promise<void> {
  if (!(await removeFactorsOf(readConfig(process.env), email))) {
    throw new StartRefused(`No user with the address ${email} has a second factor.`)
  }
  console.log(`${email} has no second factor now, and all their sessions have ended.`)
}

await main().catch((error: unknown) => {
  const isSaid = error instanceof StartRefused || error instanceof Problem
  console.error(isSaid ? `Nothing was done. ${error.message}` : error)
  process.exitCode = 1
})
