import { api } from '../../../api/client.ts'
import { isProblem } from '../../../api/problem.ts'
import type { CampaignDraft } from '../../../api/types.ts'

export const DRAFTS = '/admin/campaign-drafts'
const WAIT_MS = 300

/** `kept`: the server has everything. `other`: somebody else changed the draft since. */
export type KeptState = 'kept' | 'saving' | 'failed' | 'other'

interface Told {
  onState(state: KeptState): void
  onKept(draft: CampaignDraft): void
}

/** Keeps a form on the server as it is typed: one request at a time, always the newest form. */
export class DraftKeeper {
  private known: Pick<CampaignDraft, 'id' | 'version'> | undefined
  private waiting: CampaignDraft['form'] | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private running: Promise<void> | undefined
  private readonly told: Told

  constructor(known: Pick<CampaignDraft, 'id' | 'version'> | undefined, told: Told) {
    this.known = known
    this.told = told
  }

  get id(): string | undefined {
    return this.known?.id
  }

  keep(form: CampaignDraft['form']): void {
    this.waiting = form
    this.told.onState('saving')
    clearTimeout(this.timer)
    this.timer = setTimeout(() => void this.flush(), WAIT_MS)
  }

  /** Saves at once what waits. Resolves when the server has answered. */
  async flush(): Promise<void> {
    clearTimeout(this.timer)
    await this.running
    if (this.waiting === undefined) return
    this.running = this.save(this.waiting)
    this.waiting = undefined
    await this.running
  }

  private async save(form: CampaignDraft['form']): Promise<void> {
    const { known } = this
    try {
      const kept = known
        ? await api.put<CampaignDraft>(`${DRAFTS}/${known.id}`, { form }, known.version)
        : await api.post<CampaignDraft>(DRAFTS, { form })
      this.known = kept
      this.told.onKept(kept)
      if (this.waiting === undefined) this.told.onState('kept')
    } catch (error) {
      this.told.onState(isProblem(error, 'VERSION_MISMATCH') ? 'other' : 'failed')
    }
  }
}
