import { randomBytes } from 'node:crypto'
import { makeOperator } from '../apps/server/src/compose/operator.ts'
import { readConfig } from '../apps/server/src/settings/config.ts'
import { Problem, StartRefused } from '../apps/server/src/platform/problem.ts'

/** `npm run operator -- ada@company.example`: makes an operator and prints the password, once. */
async function main(email: string | undefined): Promise<void> {
  if (!email || !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) || email.length > 254) {
    throw new StartRefused('Give an e-mail address: npm run operator -- ada@company.example')
  }
  const password = randomBytes(18).toString('base64url')
  await makeOperator(readConfig(process.env), { email, password })
  console.log(
    `${email} is an operator now.\nPassword, shown only this once: ${password}\nChange it with POST /api/v1/me/password.`,
  )
}

await main(process.argv[2]).catch((error: unknown) => {
  const isSaid = error instanceof StartRefused || error instanceof Problem
  console.error(isSaid ? `Nothing was made. ${error.message}` : error)
  process.exitCode = 1
})
