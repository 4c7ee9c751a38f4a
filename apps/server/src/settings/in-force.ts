import type { SettingInForce } from '@placard/contract/operations'
import type { Static } from 'typebox'
import { type Config, Settings } from './config.ts'

interface Described {
  readonly description?: string
  readonly isSecret?: boolean
}

/** Every setting this process runs with. Of secrets only the name; addresses without credentials. */
export function settingsInForce(
  config: Config,
  given: ReadonlySet<string>,
): Static<typeof SettingInForce>[] {
  return Object.entries(Settings.properties as Record<string, Described>).map(
    ([name, { description = '', isSecret = false }]) => {
      const value = String(config[name as keyof Config] ?? '')
      return {
        name,
        about: description,
        value: isSecret || value === '' ? null : withoutCredentials(value),
        isSet: value !== '',
        isSecret,
        source: given.has(name) ? 'environment' : 'default',
      }
    },
  )
}

/** Some operators put a password or key into an address. */
const withoutCredentials = (value: string) =>
  value.replaceAll(/(\w:\/\/)[^/@\s]*@/g, '$1…@').replace(/(:\/\/[^?\s]*\?).*/, '$1…')
