import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import { guessesLog10 } from '../../../platform/guesses.ts'

/** Whoever guesses offline at a thousand a second needs a year. */
const GUESSES_LOG10_MIN = 10

export interface NewPassword {
  readonly password: string
  /** How the field is called in the request. */
  readonly field: string
  /** What everybody tries first: their name and address. */
  readonly about: readonly string[]
}

/** Refuses what is on lists of common passwords, or close to it. */
export async function refuseCommonPassword({ password, field, about }: NewPassword): Promise<void> {
  if ((await guessesLog10(password, about)) >= GUESSES_LOG10_MIN) return
  throw new Problem(httpProblems.invalidRequest, 'Choose another password.', [
    {
      path: `body/${field}`,
      message:
        'is among the passwords that are tried first; take several words that do not belong together',
    },
  ])
}
