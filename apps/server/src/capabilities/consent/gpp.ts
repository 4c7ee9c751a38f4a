import type { GppModel } from '@iabgpp/cmpapi'
import { ALLOWED, both, NOT_FOLLOWED, type Permissions, REFUSED } from './permissions.ts'
import { isSaleRefused } from './us-privacy.ts'

const TCF_EU = 2
const TCF_CANADA = 5
const US_PRIVACY = 6
/** Sections of the United States and of single states begin here. */
const US_FIRST = 7

const OPT_OUTS = ['SaleOptOut', 'SharingOptOut', 'TargetedAdvertisingOptOut']
const OPTED_OUT = 1

export interface GppQuestion {
  readonly gpp: string | undefined
  /** Only these sections count. */
  readonly sections: readonly number[]
  readonly modelOf: (gpp: string | undefined) => GppModel | undefined
  readonly ofTcString: (tcString: string | undefined) => Permissions | undefined
}

/** A section that applies and cannot be read refuses everything: a wish we cannot read is no consent. */
export function judgeGpp({ gpp, sections, modelOf, ofTcString }: GppQuestion): Permissions {
  const model = modelOf(gpp)
  if (model === undefined || gpp === undefined) return REFUSED
  const judge = (section: number): Permissions => {
    if (section === TCF_EU) return ofTcString(textOf(gpp, model, section)) ?? REFUSED
    if (!model.hasSectionId(section)) return REFUSED
    if (section === TCF_CANADA) return judgeCanada(model)
    if (section === US_PRIVACY) {
      return isSaleRefused(textOf(gpp, model, section) ?? '') ? NOT_FOLLOWED : ALLOWED
    }
    return section >= US_FIRST ? judgeState(model, section) : REFUSED
  }
  return sections
    .filter((section) => section > 0)
    .map(judgeOrRefuse(judge))
    .reduce(both, ALLOWED)
}

/** The library throws where a section is broken. */
const judgeOrRefuse = (judge: (section: number) => Permissions) => (section: number) => {
  try {
    return judge(section)
  } catch {
    return REFUSED
  }
}

/** The sections of the string follow its header in the order of their numbers. */
function textOf(gpp: string, model: GppModel, section: number): string | undefined {
  const at = model.getSectionIds().indexOf(section)
  return at === -1 ? undefined : gpp.split('~')[at + 1]
}

function judgeState(model: GppModel, section: number): Permissions {
  const field = (name: string): unknown =>
    model.hasFieldBySectionId(section, name)
      ? model.getFieldValueBySectionId(section, name)
      : undefined
  const isChild = isKnownChild(field('KnownChildSensitiveDataConsents'))
  const hasOptedOut = OPT_OUTS.some((name) => field(name) === OPTED_OUT) || field('Gpc') === true
  if (!isChild && !hasOptedOut) return ALLOWED
  return { ...NOT_FOLLOWED, isChild }
}

/** 0: not a known child; any other value, consent included, tells of one. */
const isKnownChild = (told: unknown): boolean =>
  Array.isArray(told) ? told.some((value) => value > 0) : typeof told === 'number' && told > 0

function judgeCanada(model: GppModel): Permissions {
  const purposes = ['PurposesExpressConsent', 'PurposesImpliedConsent'].map((name): unknown =>
    model.getFieldValueBySectionId(TCF_CANADA, name),
  )
  const has = (purpose: number) =>
    purposes.some((told) => Array.isArray(told) && told[purpose - 1] === true)
  return {
    mayStore: has(1),
    mayIdentify: has(1),
    mayPersonalise: has(3) && has(4),
    mayMeasure: has(7),
    maySelect: has(2),
    isChild: false,
  }
}
