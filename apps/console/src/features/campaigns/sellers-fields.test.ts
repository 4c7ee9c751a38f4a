import { PatchCampaign } from '@placard/contract/campaigns'
import { expect, test } from 'vitest'
import { SELLERS_FIELDS } from './sellers-fields.ts'

test('the form marks the fields of a campaign that the contract gives to ad operations', () => {
  const marked = (wanted: string | undefined) =>
    Object.entries(PatchCampaign.properties as Record<string, Record<string, unknown>>)
      .filter(([, schema]) => schema['x-written-by'] && schema['x-written-by-when'] === wanted)
      .map(([field]) => field)

  expect(marked(undefined).toSorted()).toEqual(SELLERS_FIELDS.always.toSorted())
  expect(marked('booked').toSorted()).toEqual(SELLERS_FIELDS.booked.toSorted())
})
