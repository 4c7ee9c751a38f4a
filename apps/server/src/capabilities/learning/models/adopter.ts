import { applyChange, type DecisionIndex } from '@placard/decision-engine'
import type { ChangeSubscriber } from '../../../platform/changes/changes.ts'
import type { Database } from '../../../platform/database/connect.ts'
import { cursorNow } from '../../../platform/database/ordered-feed.ts'
import type { Switches } from '../../../platform/switches/view.ts'
import type { Catalogue } from '../../decisions/index.ts'
import { quietTypes, unpackLearned } from './learned.ts'
import type { ClickPredictor } from './predictor.ts'
import { type Evidence, findModel, findModelVersion } from './store-models.ts'
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
 * Keeps decisions on the newest models: context terms in the predictor, ad terms as columns of the
 * index. Follows the change feed, after the switches.
 */
export function adoptModels(deps: AdopterDeps): ChangeSubscriber {
  const { db, switches } = deps
  let held = ''

  const refreshOnce = async () => {
    const isOn = switches.isOn(LEARNING_SWITCH.name)
    const versions = isOn
      ? [await findModelVersion(db, 'click'), await findModelVersion(db, 'conversion')]
      : []
    const wanted = versions.join()
    if (held !== wanted) {
      await adopt(deps, isOn)
      held = wanted
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
  const find = async (evidence: Evidence) => {
    const row = isOn ? await findModel(db, evidence) : undefined
    return row && unpackLearned(row)
  }
  const [clicks, conversions] = [await find('click'), await find('conversion')]
  predictor.adopt(clicks?.model, clicks && quietTypes(clicks))
  predictor.adoptConversions(conversions?.model, conversions && quietTypes(conversions))
}

/** Writes the terms of each ad's own features to the index if they differ; 256 ads per tick. */
async function spreadOdds({ catalogue, predictor }: AdopterDeps): Promise<void> {
  const { index, content } = catalogue
  let looked = 0
  for (const [adKey, { campaignKey, bannerKey }] of content.ads) {
    const ad = { adKey, campaignKey, format: content.banners.get(bannerKey)?.format }
    putOdds(index, 'click-odds', { adKey, odds: predictor.oddsOf(ad) })
    putOdds(index, 'conversion-odds', { adKey, odds: predictor.conversionOddsOf(ad) })
    if (++looked % ADS_PER_TICK === 0) await new Promise(setImmediate)
  }
  for (const put of ['click-odds', 'conversion-odds'] as const) {
    for (const adKey of heldOdds(index, put).keys()) {
      if (!content.ads.has(adKey)) putOdds(index, put, { adKey, odds: 1 })
    }
  }
}

type OddsOf = 'click-odds' | 'conversion-odds'

const heldOdds = (index: DecisionIndex, put: OddsOf): ReadonlyMap<number, number> =>
  put === 'click-odds' ? index.clickOdds : index.conversionOdds

function putOdds(
  index: DecisionIndex,
  put: OddsOf,
  record: { readonly adKey: number; readonly odds: number },
): void {
  const { adKey, odds } = record
  const before = heldOdds(index, put).get(adKey) ?? 1
  const isFar = Math.abs(Math.log(odds / before)) >= STEP_MIN
  if (!isFar && !(odds === 1 && before !== 1)) return
  applyChange(index, { put, record })
}
