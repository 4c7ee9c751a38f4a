import { Settings } from '../settings/config.ts'

interface Described {
  readonly description?: string
  readonly default?: string | number
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
  readonly isSecret?: boolean
}

const all = Object.entries(Settings.properties as Record<string, Described>).map(
  ([name, setting]) => [name, { ...setting, description: aboutOf(setting) }] as const,
)

function aboutOf({ description, isSecret }: Described): string {
  return isSecret ? `${description}. Secret` : `${description}`
}

/** Every setting, commented out at its default: copy, uncomment, change. */
export function envExample(): string {
  const lines = all.map(
    ([name, setting]) => `# ${setting.description}\n# ${name}=${setting.default ?? ''}`,
  )
  return `${lines.join('\n\n')}\n`
}

export function settingsReference(): string {
  const rows = all.map(
    ([name, setting]) => `| \`${name}\` | ${defaultOf(setting)} | ${meaningOf(setting)} |`,
  )
  return [
    '# Settings',
    '',
    'Read from the environment once at start. All faults are reported together. Generated from',
    '`apps/server/src/settings/config.ts` by `npm run generate`.',
    '',
    '| setting | default | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function defaultOf({ default: value }: Described): string {
  return value === undefined || value === '' ? '—' : `\`${value}\``
}

function meaningOf({ description, enum: values, minimum, maximum }: Described): string {
  if (values) return `${description}. One of ${values.map((value) => `\`${value}\``).join(', ')}`
  return minimum === undefined ? `${description}` : `${description} (${minimum} to ${maximum})`
}
