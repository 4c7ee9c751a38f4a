import type { AccountKind, Role } from '../../../server/src/capabilities/accounts/index.ts'

/** The password of all demo users, printed at every start: nothing in the demo is secret. */
export const DEMO_PASSWORD = 'placard demo password'

interface DemoAccount {
  readonly kind: AccountKind
  readonly name: string
}

export const ACCOUNTS = {
  platform: { kind: 'platform', name: 'Placard Demo' },
  meridian: { kind: 'publisher', name: 'Meridian Market' },
  gazette: { kind: 'publisher', name: 'Harbour Gazette' },
  northwind: { kind: 'advertiser', name: 'Northwind Outfitters' },
  kaffa: { kind: 'advertiser', name: 'Kaffa Roasters' },
  lumen: { kind: 'advertiser', name: 'Lumen Home' },
  verde: { kind: 'advertiser', name: 'Verde Garden' },
  auralis: { kind: 'advertiser', name: 'Auralis Audio' },
  folio: { kind: 'advertiser', name: 'Folio Books' },
  pedal: { kind: 'advertiser', name: 'Pedal & Spoke' },
  tidewater: { kind: 'advertiser', name: 'Tidewater Travel' },
} as const satisfies Record<string, DemoAccount>

export type AccountKey = keyof typeof ACCOUNTS

interface DemoUser {
  readonly name: string
  readonly displayName: string
  readonly role: Role
  readonly account: AccountKey
}

/** The operator comes first and creates all others. */
export const OPERATOR = {
  name: 'operator',
  displayName: 'Olga Petersen',
  role: 'operator',
  account: 'platform',
} as const satisfies DemoUser

export const STAFF = [
  { name: 'adops', displayName: 'Adam Okafor', role: 'ad-ops', account: 'platform' },
  { name: 'trust', displayName: 'Thea Lindqvist', role: 'trust', account: 'platform' },
  { name: 'publisher', displayName: 'Paul Meridian', role: 'publisher', account: 'meridian' },
  { name: 'gazette', displayName: 'Grace Harbour', role: 'publisher', account: 'gazette' },
  { name: 'advertiser', displayName: 'Nora Winter', role: 'advertiser', account: 'northwind' },
  { name: 'advertiser2', displayName: 'Arjun Rao', role: 'advertiser', account: 'auralis' },
] as const satisfies readonly DemoUser[]

export type UserKey = (typeof OPERATOR | (typeof STAFF)[number])['name']

export const emailOf = ({ name }: Pick<DemoUser, 'name'>) => `${name}@demo.placard.example`

interface SignIn {
  readonly role: Role
  readonly email: string
  readonly of: string
}

/** The users that the sign-in page and the banner list. */
export const SIGN_INS: readonly SignIn[] = [OPERATOR, ...STAFF].map((user) => ({
  role: user.role,
  email: emailOf(user),
  of: ACCOUNTS[user.account].name,
}))

export const DEMO_SIGN_INS = { password: DEMO_PASSWORD, signIns: [...SIGN_INS] }
