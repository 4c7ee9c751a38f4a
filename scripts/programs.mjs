// Runs on the Node that npm uses.
import { spawnSync } from 'node:child_process'

export const missingPrograms = (names) => names.filter((name) => !isThere(name))

export function installPrograms(names, say) {
  const missing = missingPrograms(names)
  if (missing.length === 0) return missing

  say(`Installing ${missing.join(' and ')} from the system's packages (once)`)
  if (process.getuid?.() === 0) {
    spawnSync('apt-get', ['update', '-qq'], { stdio: 'ignore' })
    spawnSync('apt-get', ['install', '-y', '-qq', ...missing], {
      stdio: 'ignore',
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    })
  }
  return missingPrograms(missing)
}

function isThere(program) {
  return spawnSync('sh', ['-c', `command -v ${program}`], { stdio: 'ignore' }).status === 0
}
