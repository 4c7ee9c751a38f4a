import { readFile } from 'node:fs/promises'
import path from 'node:path'

const ROOT = path.join(import.meta.dirname, '../../../..')

export interface GuideStep {
  readonly command: string
  readonly expected: unknown
}

/** Each block of commands of a guide with the answer that follows it, and blocks without one. */
export async function stepsOf(
  file: string,
): Promise<{ readonly steps: readonly GuideStep[]; readonly others: readonly string[] }> {
  const text = await readFile(path.join(ROOT, file), 'utf8')
  const blocks = [...text.matchAll(/```sh\n(.*?)```(?:\n\n```json\n(.*?)```)?/gs)]
  return {
    steps: blocks
      .filter(([, , expected]) => expected !== undefined)
      .map(([, command, expected]) => ({
        command: command!,
        expected: JSON.parse(expected!) as unknown,
      })),
    others: blocks.filter(([, , expected]) => expected === undefined).map(([, block]) => block!),
  }
}

const MARK = '-- the next step --'

/** The steps as one script for a shell, as if pasted. */
export const scriptOf = (steps: readonly GuideStep[]): string =>
  steps.map(({ command }) => command).join(`\necho; echo '${MARK}'\n`)

/** What each step printed last, from the output of the script. */
export const answersIn = (output: string): readonly unknown[] => output.split(MARK).map(lastLine)

function lastLine(output: string): unknown {
  const line = output.trim().split('\n').at(-1)!
  try {
    return JSON.parse(line)
  } catch {
    return line
  }
}
