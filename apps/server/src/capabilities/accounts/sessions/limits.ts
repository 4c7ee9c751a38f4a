import { DAY_MS } from '@placard/calendar'
import { createHmac } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { httpProblems } from '../../../platform/http/problems.ts'
import { Problem } from '../../../platform/problem.ts'
import { countTry, forgetTries } from '../store-limits.ts'

export interface LimitSettings {
  /** Per address and minute. */
  readonly signInsPerMinute: number
  /** Per user, until somebody who knows the password signs in. */
  readonly failuresMax: number
  readonly failureMinutes: number
  /** Hashes the counted subjects. */
  readonly secret: string
}

export interface LimitDeps {
  readonly db: Database
  readonly clock: Clock
}

/** What is counted: attempts at one thing, by one address or user. */
interface Subject {
  readonly name: string
  readonly max: number
  readonly windowMs: number
}

export interface Limits {
  readonly failureMinutes: number
  /** Counts an attempt from an address. Throws beyond the limit. */
  takeAddress(ip: string): Promise<void>
  /**
   * Counts an attempt to prove an identity. Throws beyond the limit, and reports the first refusal.
   */
  takeProof(subject: string, onFirstRefusal?: () => Promise<void>): Promise<void>
  /** Whether something that counts once is seen for the first time. */
  isFirst(subject: string): Promise<boolean>
  /** The proof was right: resets the count. */
  forget(subject: string): Promise<void>
}

const MINUTE_MS = 60_000

/** Counted in PostgreSQL, so that all nodes count together and a restart forgets nothing. */
export function signInLimits({ db, clock }: LimitDeps, settings: LimitSettings): Limits {
  const { signInsPerMinute, failuresMax, failureMinutes, secret } = settings
  const hashOf = (name: string) => createHmac('sha256', secret).update(name).digest()

  const take = async ({ name, max, windowMs }: Subject, onFirstRefusal?: () => Promise<void>) => {
    const now = clock.now()
    const since = new Date(now.getTime() - windowMs)
    const { tries, startedAt } = await countTry(db, { subject: hashOf(name), now, since })
    if (tries <= max) return
    if (tries === max + 1) await onFirstRefusal?.()
    const seconds = Math.ceil((startedAt.getTime() + windowMs - now.getTime()) / 1_000)
    const wait = Math.max(1, seconds)
    throw new Problem(
      httpProblems.tooManyRequests,
      `Try again in ${Math.ceil(wait / 60)} minutes.`,
    ).after(wait)
  }

  return {
    failureMinutes,
    takeAddress: (ip) =>
      take({ name: `address ${networkOf(ip)}`, max: signInsPerMinute, windowMs: MINUTE_MS }),
    takeProof: (subject, onFirstRefusal) =>
      take(
        { name: subject, max: failuresMax, windowMs: failureMinutes * MINUTE_MS },
        onFirstRefusal,
      ),
    async isFirst(subject) {
      const now = clock.now()
      const since = new Date(now.getTime() - DAY_MS)
      return (await countTry(db, { subject: hashOf(subject), now, since })).tries === 1
    },
    forget: (subject) => forgetTries(db, hashOf(subject)),
  }
}

/** One IPv6 user has 2^64 addresses, so their /64 counts. */
export function networkOf(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return address.kind() === 'ipv4'
    ? address.toString()
    : ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/64`).toString()
}
