import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { type Look, type Person, settled, type World } from './world.ts'

const FOLDER = path.join(import.meta.dirname, 'looks')

interface Picture {
  readonly name: string
  readonly person: Person | undefined
  readonly path: string
  readonly look: Look
}

/** Pages with constant content, so that only their look can change. */
export const PICTURES: readonly Picture[] = [
  { name: 'sign-in', person: undefined, path: '/sign-in', look: {} },
  { name: 'new-campaign', person: 'advertiser', path: '/campaigns/new', look: {} },
  {
    name: 'why-dark-narrow',
    person: 'adops',
    path: '/why',
    look: { width: 390, theme: 'dark' },
  },
  {
    name: 'new-banner-dark',
    person: 'advertiser',
    path: '/creatives/new',
    look: { theme: 'dark' },
  },
]

async function take(world: World, { person, path: to, look }: Picture): Promise<Buffer> {
  const page = await world.open(person, to, look)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled(page)
  await page.waitForLoadState('networkidle')
  const bytes = await page.screenshot({ animations: 'disabled', caret: 'hide' })
  await page.close()
  return bytes
}

const fileOf = ({ name }: Picture) => path.join(FOLDER, `${name}.png`)

/** Stores the current look of the pages. Look at the pictures before you commit them. */
export async function keepLooks(world: World): Promise<void> {
  await mkdir(FOLDER, { recursive: true })
  for (const picture of PICTURES) await writeFile(fileOf(picture), await take(world, picture))
}

/** The share of pixels that differ from the stored picture, 0 to 1. */
export async function differenceOf(world: World, picture: Picture): Promise<number> {
  if (!existsSync(fileOf(picture))) throw new Error(`There is no kept picture ${picture.name}.`)
  const kept = await readFile(fileOf(picture))
  const taken = await take(world, picture)
  const page = await world.open(undefined, '/sign-in')
  try {
    return await compare(page, kept, taken)
  } finally {
    await page.close()
  }
}

/** Machines render letters slightly differently, so small differences of colour do not count. */
const STEP = 48

function compare(page: Page, kept: Buffer, taken: Buffer): Promise<number> {
  const urls = [kept, taken].map((bytes) => `data:image/png;base64,${bytes.toString('base64')}`)
  return page.evaluate<number>(`(async () => {
    const points = await Promise.all(${JSON.stringify(urls)}.map(async (url) => {
      const image = new Image()
      image.src = url
      await image.decode()
      const canvas = new OffscreenCanvas(image.width, image.height)
      const brush = canvas.getContext('2d')
      brush.drawImage(image, 0, 0)
      return brush.getImageData(0, 0, image.width, image.height).data
    }))
    const [one, other] = points
    if (one.length !== other.length) return 1
    let different = 0
    for (let at = 0; at < one.length; at += 4) {
      const isOther = [0, 1, 2].some((part) => Math.abs(one[at + part] - other[at + part]) > ${STEP})
      if (isOther) different++
    }
    return different / (one.length / 4)
  })()`)
}
