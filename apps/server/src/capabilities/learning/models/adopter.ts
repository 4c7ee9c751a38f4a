import { applyChange, type DecisionIndex } from '@placard/decision-engine'
import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Switches } from '../../../platform/switches/view.ts'
import type { Catalogue } from '../../decisions/index.ts'
import { quietTypes, unpackLearned } from './learned.ts'
import type { ClickPredictor } from './predictor.ts'
import { findModel, findModelVersion } from './store-models.ts'
import { LEARNING_SWITCH } from '../switches.ts'

export interface AdopterDeps {
  readonly db: Database
  readonly predictor: ClickPredictor
  readonly catalogue: Pick<Catalogue, 'index' | 'content'>
  readonly switches: Switches
}

/** A smaller change of the log-odds decides no auction that matters. */
const STEP_MIN = 0.02
/** Ads per event-loop tick. */
const ADS_PER_TICK = 256

/**
 * Keeps decisions on the newest model: context terms in the predictor, ad terms as a column of the
 * index. Follows the change feed, after the switches.
 */
export function adoptModels(deps: AdopterDeps): ChangeSubscriber {
  const { db, switches } = deps
  let held = { version: 0, isOn: false }

  const refreshOnce = async () => {
    const isOn = switches.isOn(LEARNING_SWITCH.name)
    const version = isOn ? await findModelVersion(db, 'click') : 0
    if (held.version !== version || held.isOn !== isOn) {
      await adopt(deps, isOn)
      held = { version, isOn }
    }
    // New ads appear between two versions.
    await spreadOdds(deps)
  }
  // A switch also reaches this node outside the feed, so refreshes run one at a time.
  let last = Promise.resolve()
  const refresh = () => (last = last.catch(() => {}).then(refreshOnce))
  return {
    async onChanges(changes) {
      const concerns = changes.some(
        ({ entity }) => entity === 'ctr_models' || entity === 'switches',
      )
      if (concerns) await refresh()
    },
    async onReload() {
      const cursor = await cursorNow(db)
      await refresh()
      return cursor
    },
    onReconcile: refresh,
  }
}

async function adopt({ db, predictor }: AdopterDeps, isOn: boolean): Promise<void> {
  const row = isOn ? await findModel(db, 'click') : undefined
  const learned = row && unpackLearned(row)
  predictor.adopt(learned?.model, learned && quietTypes(learned))
}

/** Writes the term of each ad's own features to the index if it differs; 256 ads per tick. */
async function spreadOdds({ catalogue, predictor }: AdopterDeps): Promise<void> {
  const { index, content } = catalogue
  let looked = 0
  for (const [adKey, { campaignKey, bannerKey }] of content.ads) {
    const format = content.banners.get(bannerKey)?.format
    putOdds(index, adKey, predictor.oddsOf({ adKey, campaignKey, format }))
    if (++looked % ADS_PER_TICK === 0) await new Promise(setImmediate)
  }
  for (const adKey of index.clickOdds.keys()) if (!content.ads.has(adKey)) putOdds(index, adKey, 1)
}

function putOdds(index: DecisionIndex, adKey: number, odds: number): void {
  const before = index.clickOdds.get(adKey) ?? 1
  const isFar = Math.abs(Math.log(odds / before)) >= STEP_MIN
  if (!isFar && !(odds === 1 && before !== 1)) return
  applyChange(index, { put: 'click-odds', record: { adKey, odds } })
}
