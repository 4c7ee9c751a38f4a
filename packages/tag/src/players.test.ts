import { micros } from '@placard/money'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, expect, test, vi } from 'vitest'
import { useBrowser } from './testing/browser.ts'
import { aPublisher, type Publisher } from './testing/publisher.ts'

vi.setConfig({ testTimeout: 90_000 })
const POLL = { timeout: 30_000 }
const browser = useBrowser()

let players = ''
beforeAll(async () => {
  const input = path.join(import.meta.dirname, 'testing/players.ts')
  const bundle = await rolldown({
    input,
    platform: 'browser',
    moduleTypes: { '.css': 'empty', '.svg': 'dataurl' },
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'iife', codeSplitting: false })
  await bundle.close()
  players = output[0].code.replaceAll('</script', String.raw`<\/script`)
})

const FILM = '../../../apps/server/src/testing/films/six-seconds.mp4'

/** A publisher with a place for films, and a campaign whose film is an asset of Placard. */
async function aCinema() {
  const publisher = await aPublisher(browser())
  const { whole } = publisher
  const bytes = await readFile(path.join(import.meta.dirname, FILM))
  const { filePath } = await whole.upload(bytes, 'video/mp4')
  const screening = async (slug: string, given: Parameters<Publisher['addBanner']>[0]) => {
    const placement = await publisher.addPlacement({ slug, mode: 'auction' })
    const campaign = await publisher.addCampaign({
      pricing: 'cpm',
      budgetDailyMicros: micros(5_000_000n),
      maxBidMicros: micros(9_000_000n),
    })
    await publisher.addCampaignPlacement(campaign, placement)
    const banner = await publisher.addBanner({ format: 'video', ...given })
    await publisher.addAd(campaign, 5_000_000n, banner)
    const hasAd = async () => (await whole.get(`/vast/${slug}`)).body.includes('<Ad ')
    await expect.poll(hasAd, POLL).toBe(true)
    return campaign
  }
  const film = {
    videoUrl: filePath,
    ctaUrl: 'https://northwind.example/autumn',
    videoFiles: [
      {
        url: filePath,
        contentType: 'video/mp4',
        width: 320,
        height: 180,
        durationMs: 6_000,
        bitrateKbps: 100,
        byteCount: bytes.length,
      },
    ],
  }
  return { ...publisher, screening, film, fileUrl: publisher.ads + filePath }
}

const withPlayers = (page: string) => `${page}<script>${players}</script>`

test('a player from npm plays a film to its end: each step is counted once, and the film is charged once', async () => {
  const { visit, ads, screening, film, fileUrl, delivery } = await aCinema()
  const campaign = await screening('preroll', film)
  const { page } = await visit({
    body: withPlayers(
      `<video id="film" width="640" height="360"><source src="${fileUrl}" type="video/mp4"></video>`,
    ),
  })

  await page.evaluate(playWithFluidPlayer, `${ads}/vast/preroll?w=640&h=360`)

  await expect
    .poll(() => delivery(campaign), POLL)
    .toMatchObject({
      rendered: 1,
      video: {
        start: 1,
        firstQuartile: 1,
        midpoint: 1,
        thirdQuartile: 1,
        complete: 1,
        skip: 0,
      },
      videoErrors: [],
    })
  const { chargedMicros } = await delivery(campaign)
  expect(Number(chargedMicros)).toBeGreaterThan(0)
})

/** Twice as fast, so that a film of six seconds takes three. */
function playWithFluidPlayer(vastTag: string): void {
  document.addEventListener('playing', ({ target }) => speedUp(target), true)
  const speedUp = (target: EventTarget | null) => {
    if (target instanceof HTMLVideoElement) target.playbackRate = 2
  }
  const { fluidPlayer } = globalThis as unknown as {
    readonly fluidPlayer: (id: string, options: object) => unknown
  }
  fluidPlayer('film', {
    layoutControls: { autoPlay: true, mute: true },
    vastOptions: { adList: [{ roll: 'preRoll', vastTag }] },
  })
}

test('the most used client follows a wrapper to its film, and reports what the reader did to both', async () => {
  const { visit, ads, screening, film, delivery } = await aCinema()
  const inner = await screening('inner', film)
  const outer = await screening('outer', { vastUrl: `${ads}/vast/inner?v=3` })
  const { page } = await visit({ body: withPlayers('<p>Film</p>') })

  const found = await page.evaluate(watchWithVastClient, `${ads}/vast/outer`)

  expect(found).toEqual({ duration: 6, files: 1, through: true })
  for (const campaign of [inner, outer]) {
    await expect
      .poll(() => delivery(campaign), POLL)
      .toMatchObject({
        rendered: 1,
        video: { start: 1, midpoint: 1, complete: 1, mute: 1 },
        videoErrors: [{ code: 405, count: 1 }],
      })
  }
})

interface Tracked {
  trackImpression(): void
  setProgress(seconds: number): void
  setMuted(isMuted: boolean): void
  complete(): void
  errorWithCode(code: string): void
}
interface Creative {
  readonly duration: number
  readonly mediaFiles: readonly unknown[]
  readonly videoClickThroughURLTemplate: { readonly url: string } | null
}
interface Ad {
  readonly creatives: readonly Creative[]
}
interface Client {
  get(url: string, options: object): Promise<{ readonly ads: readonly Ad[] }>
}

async function watchWithVastClient(url: string) {
  const { VASTClient, VASTTracker } = globalThis as unknown as {
    readonly VASTClient: new () => Client
    readonly VASTTracker: new (client: Client, ad: Ad, creative: Creative) => Tracked
  }
  const client = new VASTClient()
  const { ads } = await client.get(url, { withCredentials: true })
  const ad = ads[0]!
  const creative = ad.creatives[0]!
  const tracker = new VASTTracker(client, ad, creative)
  for (let times = 0; times < 2; times++) {
    tracker.trackImpression()
    for (let second = 0; second <= 6; second++) tracker.setProgress(second)
    tracker.setMuted(times === 0)
    tracker.complete()
    tracker.errorWithCode('405')
  }
  return {
    duration: creative.duration,
    files: creative.mediaFiles.length,
    through: creative.videoClickThroughURLTemplate?.url.includes('/t/c/') === true,
  }
}
