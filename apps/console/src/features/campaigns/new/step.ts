import type { BookingFault } from '../../../api/types.ts'
import type { Checking } from './use-check.ts'
import type { Draft } from './draft.ts'
import type { BookingWorld } from './world.ts'

/** What every step of the form gets. */
export interface StepProps {
  readonly draft: Draft
  readonly onChange: (part: Partial<Draft>) => void
  readonly world: BookingWorld
  readonly pairs: Checking['pairs']
  /** Faults of these fields, as far as they are to be shown. */
  readonly faultsOf: (...paths: readonly string[]) => readonly BookingFault[]
  readonly onMend: (fault: BookingFault) => void
  /** The draft's id, once it is kept. */
  readonly draftId: string | undefined
}

export const toggled = (ids: readonly string[], id: string, isOn: boolean) =>
  isOn ? [...ids, id] : ids.filter((one) => one !== id)
