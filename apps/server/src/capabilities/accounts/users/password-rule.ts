import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import { guessesLog10 } from '../../../platform/guesses.ts'

/** An offline attack at a thousand guesses per second needs a year. */
const GUESSES_LOG10_MIN = 10

export interface NewPassword {
  readonly password: string
  /** Name of the field in the request. */
  readonly field: string
  /** What attackers try first: the user's name and address. */
  readonly about: readonly string[]
}

/** Refuses passwords on, or close to, lists of common ones. */
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
