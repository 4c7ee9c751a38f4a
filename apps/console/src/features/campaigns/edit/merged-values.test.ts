import { expect, test } from 'vitest'
import type { CampaignValues } from './campaign-values.ts'
import { conflictsIn, mergedValues } from './merged-values.ts'

const values = (given: Partial<CampaignValues>) =>
  ({ name: 'Autumn', priority: '1', contractRef: '', ...given }) as CampaignValues

const versions = {
  before: values({}),
  mine: values({ name: 'My name', contractRef: 'IO-1' }),
  theirs: values({ name: 'Their name', priority: '2' }),
}

test('what somebody else changed is shown beside one’s own, field by field', () => {
  expect(conflictsIn(versions)).toEqual([
    { field: 'name', mine: 'My name', theirs: 'Their name' },
    { field: 'priority', mine: '1', theirs: '2' },
  ])
})

test('both changes are kept; where both changed a field, the chosen side wins', () => {
  expect(mergedValues(versions, 'mine')).toEqual(
    values({ name: 'My name', priority: '2', contractRef: 'IO-1' }),
  )
  expect(mergedValues(versions, 'theirs')).toEqual(
    values({ name: 'Their name', priority: '2', contractRef: 'IO-1' }),
  )
})
