import { COUNTRIES } from '@placard/contract/countries'
import type { Choice } from '../forms/choices.ts'

/** ISO 639-1, and the regional forms that browsers send most. */
const LANGUAGES = [
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu he hi hr hu hy id is it',
  'ja ka kk km kn ko ky lo lt lv mk ml mn mr ms mt my nb ne nl nn pa pl ps pt ro ru si sk sl sq sr',
  'sv sw ta te th tl tr uk ur uz vi zh zu',
  'de-AT de-CH de-DE en-AU en-CA en-GB en-IE en-IN en-US es-ES es-MX fr-BE fr-CA fr-CH fr-FR',
  'nl-BE pt-BR pt-PT zh-CN zh-TW',
].flatMap((line) => line.split(' '))

const choicesOf = (codes: Iterable<string>, type: 'region' | 'language'): readonly Choice[] => {
  const names = new Intl.DisplayNames('en', { type, fallback: 'code' })
  return [...codes]
    .map((value) => ({ value, label: names.of(value) ?? value, note: value }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
}

export const COUNTRY_CHOICES = choicesOf(COUNTRIES, 'region')
export const LANGUAGE_CHOICES = choicesOf(LANGUAGES, 'language')

export const countryName = (code: string): string =>
  COUNTRY_CHOICES.find(({ value }) => value === code)?.label ?? code
