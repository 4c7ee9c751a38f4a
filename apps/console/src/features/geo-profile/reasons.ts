import { sayWord } from '../../ui/format/format.ts'

/** Reasons of decisions in words. The server stores the code. */
const WORDS: Readonly<Record<string, string>> = {
  known_traveller: 'Travels, but lives in the declared country',
  company_network: 'A company network or VPN explains it',
  confirmed_by_person: 'The user has confirmed it',
  moved: 'Has moved',
  declared_by_mistake: 'Declared by mistake',
  stolen_session: 'The session was stolen',
  shared_account: 'The account is shared with others',
  blocked_by_mistake: 'Blocked by mistake',
  other: 'Another reason',
  multi_country_window: 'In two countries at once',
  unusual_country: 'An unusual country',
  lost_device: 'A lost device',
  signed_out: 'By the user',
  ended_all: 'By the user, on all devices',
  user_disabled: 'The user was deactivated',
  refresh_token_reused: 'A copied refresh token',
}

const optionsOf = (...codes: readonly string[]) =>
  codes.map((value) => ({ value, label: WORDS[value]! }))

export const DISMISS_REASONS = optionsOf(
  'known_traveller',
  'company_network',
  'confirmed_by_person',
  'other',
)
export const APPLY_REASONS = optionsOf(
  'moved',
  'declared_by_mistake',
  'confirmed_by_person',
  'other',
)
export const UNBLOCK_REASONS = optionsOf(
  'confirmed_by_person',
  'known_traveller',
  'company_network',
  'blocked_by_mistake',
  'other',
)
export const BLOCK_REASONS = optionsOf('stolen_session', 'lost_device', 'shared_account', 'other')

/** Unknown codes, of programs or other releases, are shown as words. */
export const sayReason = (code: string) => WORDS[code] ?? sayWord(code)
