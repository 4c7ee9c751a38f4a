import { useDeferredValue, useEffect, useState } from 'react'
import { api } from '../../../api/client.ts'
import { faultsOf } from '../../../api/problem.ts'
import { usePostRead } from '../../../api/hooks.ts'
import type { BookingFault, CampaignCheck } from '../../../api/types.ts'
import { bookingOf, type Draft, typingFaults } from './draft.ts'
import type { BookingWorld } from './world.ts'

const CHECK = '/admin/campaigns/check'
const PAUSE_MS = 350

/** What the server says about the booking, now and as it is typed. */
export interface Checking {
  readonly faults: readonly BookingFault[]
  readonly pairs: CampaignCheck['pairs']
  /** Asks at once: the faults of exactly this form. */
  ask(): Promise<readonly BookingFault[]>
}

const NOTHING: CampaignCheck = { faults: [], pairs: [] }

export function useCheck(draft: Draft, world: BookingWorld): Checking {
  const booking = bookingOf(draft, world)
  const text = usePaused(JSON.stringify(booking))
  const answer = usePostRead<CampaignCheck>(CHECK, JSON.parse(text) as object)
  const { faults, pairs } = useDeferredValue(answer.data) ?? NOTHING
  return {
    faults: [...typingFaults(draft), ...(answer.error ? malformedIn(answer.error) : faults)],
    pairs,
    async ask() {
      const now = await api.ask<CampaignCheck>(CHECK, booking).catch((error: unknown) => {
        const found = malformedIn(error)
        if (found.length === 0) throw error
        return { faults: found }
      })
      return [...typingFaults(draft), ...now.faults]
    },
  }
}

/** The faults of a form that the server could not read. */
const malformedIn = (error: unknown): BookingFault[] =>
  Object.entries(faultsOf(error)).map(([path, message]) => ({
    path,
    code: 'INVALID_REQUEST',
    message: `This ${message}.`,
    severity: 'refused',
    mend: null,
  }))

/** The text once it has not changed for a moment. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
