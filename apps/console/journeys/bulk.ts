import { callerFor } from './facts.ts'
import type { Snap } from './booking.ts'
import { findBarriers, settled, type World } from './world.ts'

interface Budgeted {
  readonly id: string
  readonly budgetDailyMicros: string | null
}

export interface ChangedTogether {
  readonly barriers: readonly string[]
  /** Campaigns whose budget was raised. */
  readonly raised: number
  /** What was not as it should be. */
  readonly differing: readonly string[]
}

/** Ad operations raise the budgets of all active campaigns by a tenth, look at the result, and undo it as one. */
export async function changeTogether(world: World, snap: Snap): Promise<ChangedTogether> {
  const call = await callerFor(world.address, 'adops')
  const budgets = async () => {
    const { items } = (await call('GET', '/admin/campaigns?status=active&limit=200')) as {
      items: Budgeted[]
    }
    return items.map(({ id, budgetDailyMicros }) => ({ id, budgetDailyMicros }))
  }
  const before = await budgets()
  const page = await world.open('adops', '/campaigns?status=active')
  const said: string[] = []
  const barriers: string[] = []
  const look = async (name: string) => {
    await settled(page)
    await snap(page, name)
    barriers.push(...(await findBarriers(page)))
  }
  await page.getByRole('checkbox', { name: 'Select all rows' }).click()
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Budgets and bids…' }).click()
  await page.getByLabel('Percent').fill('10')
  await look('bulk-amounts')
  await page.getByRole('button', { name: 'Preview' }).click()
  const dialog = page.getByRole('dialog', { name: 'Daily budget +10 %' })
  const make = dialog.getByRole('button', { name: /^Make \d+ changes?$/ })
  await make.waitFor()
  said.push((await dialog.getByRole('status').first().textContent()) ?? '')
  await look('bulk-preview')
  await make.click()
  const undo = dialog.getByRole('button', { name: 'Undo all' })
  await undo.waitFor()
  said.push((await dialog.getByRole('status').first().textContent()) ?? '')
  await look('bulk-made')
  const changed = await budgets()
  await undo.click()
  await undo.waitFor({ state: 'detached' })
  await dialog.getByText(/restored/).waitFor()
  said.push((await dialog.getByRole('status').first().textContent()) ?? '')
  const undone = await budgets()
  await page.close()
  const sets = await world.open('adops', '/change-sets')
  await sets.getByRole('button', { name: 'Daily budget +10 %' }).first().waitFor()
  await settled(sets)
  await snap(sets, 'change-sets')
  barriers.push(...(await findBarriers(sets)))
  await sets.close()
  const raised = before.filter(({ budgetDailyMicros }) => budgetDailyMicros !== null).length
  return { barriers, raised, differing: differencesIn({ before, changed, undone, said, raised }) }
}

interface Course {
  /** Daily budgets before, after the change, and after the undo. */
  readonly before: readonly Budgeted[]
  readonly changed: readonly Budgeted[]
  readonly undone: readonly Budgeted[]
  /** What the page said after each step. */
  readonly said: readonly string[]
  readonly raised: number
}

function differencesIn({ before, changed, undone, said, raised }: Course): string[] {
  const [will = '', did = '', back = ''] = said
  const wanted = before.map(({ id, budgetDailyMicros: now }) => ({
    id,
    budgetDailyMicros: now && String((BigInt(now) * 11n) / 10n),
  }))
  return [
    ...(will.startsWith(`${raised} will change`) ? [] : [will]),
    ...(did.startsWith(`${raised} changed`) ? [] : [did]),
    ...(back === `${raised} restored.` ? [] : [back]),
    ...(JSON.stringify(changed) === JSON.stringify(wanted) ? [] : ['other budgets than shown']),
    ...(JSON.stringify(undone) === JSON.stringify(before) ? [] : ['not what it was']),
  ]
}
