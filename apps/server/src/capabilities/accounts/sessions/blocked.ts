import { Problem } from '../../../platform/problem.ts'
import { accountProblems } from '../problems.ts'

/** Who helps a user whose session was blocked. */
export const HELP = 'the operator of this platform'

const USUAL = 'It looked as if somebody else was using it.'

/** Why a session was blocked, in the words of the person it belongs to. */
const WHY: Readonly<Record<string, string>> = {
  multi_country_window:
    'It was used in another country while you were connected from your usual one.',
  unusual_country: 'It was used from a country that you do not usually connect from.',
  shared_account: 'It looked as if several people were using one sign-in.',
  lost_device: 'The device was reported lost.',
}

export interface SessionBlock {
  readonly reasonCode: string | null
  /** Whom to ask: an address, a number or a name. */
  readonly contact: string
}

/** What a blocked person reads, on the sign-in page and in the API's answer. */
export function blockedProblem({ reasonCode, contact }: SessionBlock): Problem {
  const why = WHY[reasonCode ?? ''] ?? USUAL
  const next = `Sign in again and change your password. If this is a mistake or it happens again, ask ${contact}.`
  return new Problem(accountProblems.sessionBlocked, `${why} ${next}`)
}
