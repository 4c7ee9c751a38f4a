import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type LedgerAccount,
  admitInOrder,
  allFit,
  type Balance,
  type Charge,
  millisOf,
  post,
  roomMillis,
} from './admit-charges.ts'

const balance = (limitMicros: bigint | undefined, spentMicros = 0n, remainderMillis = 0n) => ({
  limitMicros,
  spentMicros,
  leasedMicros: 0n,
  remainderMillis,
})
const account = (fields: Balance, ownerKey = 1): LedgerAccount => ({
  scope: 'campaign',
  ownerKey,
  day: 20_000,
  balance: fields,
})
const charge = (millis: bigint, ...accounts: LedgerAccount[]): Charge => ({ accounts, millis })

describe('a charge against budgets', () => {
  test('a CPM charges a thousandth per impression, a CPC the whole price per click', () => {
    expect(millisOf('cpm', 2_500_001)).toBe(2_500_001n)
    expect(millisOf('cpc', 2_500_001)).toBe(2_500_001_000n)
  })

  test('charges are admitted up to the last thousandth of a limit, each whole or not at all', () => {
    const day = account(balance(10n, 9n, 1n))

    expect(admitInOrder([charge(999n, day)]).admitted).toEqual([true])
    expect(admitInOrder([charge(1_000n, day)]).admitted).toEqual([false])
  })

  test('a charge that does not fit leaves room for a smaller one after it', () => {
    const day = account(balance(10n))

    const { admitted, full } = admitInOrder([
      charge(6_000n, day),
      charge(5_000n, day),
      charge(4_000n, day),
    ])

    expect(admitted).toEqual([true, false, true])
    expect([...full]).toEqual([day])
  })

  test('a charge needs room in every ledger account, and takes from none if one is full', () => {
    const [campaign, advertiser] = [account(balance(10n)), account(balance(3n), 2)]

    const { admitted, full } = admitInOrder([
      charge(5_000n, campaign, advertiser),
      charge(3_000n, campaign, advertiser),
      charge(7_000n, campaign),
    ])

    expect(admitted).toEqual([false, true, true])
    expect([...full]).toEqual([advertiser])
  })

  test('a charge always fits without a limit', () => {
    expect(roomMillis(balance(undefined, 5n))).toBeUndefined()
    expect(admitInOrder([charge(10n ** 18n, account(balance(undefined)))]).admitted).toEqual([true])
  })

  test('a charge never fits if the spend has reached a lowered limit', () => {
    expect(roomMillis(balance(5n, 5n, 300n))).toBe(0n)
    expect(allFit([charge(1n, account(balance(5n, 5n, 300n)))])).toBe(false)
  })
})

const anyBalance = fc.record({
  limitMicros: fc.bigInt(1n, 60n),
  spentMicros: fc.constant(0n),
  leasedMicros: fc.constant(0n),
  remainderMillis: fc.bigInt(0n, 999n),
})
const anyBatches = fc.array(fc.array(fc.bigInt(0n, 9_999n), { maxLength: 12 }), { maxLength: 12 })

describe('charges over many batches', () => {
  test('the spend agrees with counting in thousandths, to the micro, and never passes the limit', () => {
    fc.assert(
      fc.property(anyBalance, anyBatches, (start, batches) => {
        let book: Balance = start
        let slow = start.remainderMillis

        for (const batch of batches) {
          const day = account(book)
          const { admitted } = admitInOrder(batch.map((millis) => charge(millis, day)))
          const sum = batch.reduce((sum, millis, i) => sum + (admitted[i] ? millis : 0n), 0n)
          const { amountMicros, remainderMillis } = post(book, sum)
          book = { ...book, spentMicros: book.spentMicros + amountMicros, remainderMillis }

          for (const millis of batch)
            if (slow + millis <= start.limitMicros * 1_000n) slow += millis
        }

        expect(book.spentMicros * 1_000n + book.remainderMillis).toBe(slow)
        expect(book.spentMicros).toBeLessThanOrEqual(start.limitMicros)
      }),
    )
  })

  test('a credit takes back exactly what was charged, and the remainder stays between 0 and 999', () => {
    fc.assert(
      fc.property(anyBalance, fc.bigInt(0n, 9_999_999n), (start, millis) => {
        const charged = post(start, millis)

        const credited = post({ ...start, ...charged }, -millis)

        expect(credited.remainderMillis).toBe(start.remainderMillis)
        expect(charged.amountMicros + credited.amountMicros).toBe(0n)
      }),
    )
  })

  test('charges that fit together are all admitted in any order', () => {
    fc.assert(
      fc.property(anyBalance, fc.array(fc.bigInt(0n, 9_999n)), (start, millis) => {
        const day = account(start)
        const charges = millis.map((each) => charge(each, day))

        const { admitted } = admitInOrder(charges)

        expect(allFit(charges)).toBe(admitted.every(Boolean))
      }),
    )
  })
})
