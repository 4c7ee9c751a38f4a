import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CampaignDraft } from '../../../api/types.ts'
import { type Draft, draftFrom, EMPTY_DRAFT, formOf, type Step } from './draft.ts'
import { DraftKeeper, DRAFTS, type KeptState } from './keep-draft.ts'

interface Keeping {
  readonly draft: Draft
  readonly state: KeptState
  readonly id: string | undefined
  change(part: Partial<Draft>): void
  keepStep(step: Step): void
  /** Saves at once what waits, and gives the draft's id. */
  flush(): Promise<string | undefined>
}

/** The form, kept on the server with every change. `onNew` hears of a draft that was just made. */
export function useDraft(
  kept: CampaignDraft | undefined,
  { step, onNew }: { readonly step: Step; readonly onNew: (id: string) => void },
): Keeping {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => (kept ? draftFrom(kept.form) : EMPTY_DRAFT))
  const [state, setState] = useState<KeptState>('kept')
  const [keeper] = useState(
    () =>
      new DraftKeeper(kept, {
        onState: setState,
        onKept(saved) {
          client.setQueryData([`${DRAFTS}/${saved.id}`, {}], saved)
          void client.invalidateQueries({ queryKey: [DRAFTS] })
          if (saved.version === 1) onNew(saved.id)
        },
      }),
  )
  const latest = useRef(draft)
  useEffect(() => () => void keeper.flush(), [keeper])
  return {
    draft,
    state,
    id: keeper.id,
    change(part) {
      latest.current = { ...latest.current, ...part }
      setDraft(latest.current)
      keeper.keep(formOf(latest.current, step))
    },
    /** A step alone makes no draft. */
    keepStep(next) {
      if (keeper.id !== undefined || latest.current !== draft) {
        keeper.keep(formOf(latest.current, next))
      }
    },
    async flush() {
      await keeper.flush()
      return keeper.id
    },
  }
}
