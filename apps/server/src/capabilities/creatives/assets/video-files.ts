import type { Static } from 'typebox'
import type { Banner, VideoFile as VideoFileView } from '@placard/contract/creatives'

/** One file of a film, with everything that players need. */
export type VideoFile = Readonly<Static<typeof VideoFileView>>

type BannerView = Static<typeof Banner>
export type AdVerification = Readonly<NonNullable<BannerView['adVerifications']>[number]>
/** A further file, as its owner describes it. */
export type GivenFile = Readonly<NonNullable<BannerView['videoRenditions']>[number]>

/** Facts read from our own file at upload. */
export interface FileFacts extends Omit<VideoFile, 'url'> {
  readonly filePath: string
}

interface Film {
  readonly videoUrl: string | null
  readonly videoDurationMs: number | null
  readonly videoRenditions: readonly GivenFile[] | null
  readonly width: number | null
  readonly height: number | null
}

const OWN_PATH = /^\/api\/v1\/assets\/[0-9a-f-]{36}\/file$/

/** The files of a film that we store. */
export const ownPathsOf = (film: Film): string[] =>
  filesOf(film).flatMap(({ url }) => (OWN_PATH.test(url) ? url : []))

function filesOf({ videoUrl, videoRenditions, ...film }: Film): readonly GivenFile[] {
  if (!videoUrl) return []
  const main = { url: videoUrl, width: film.width, height: film.height }
  return [main, ...(videoRenditions ?? [])]
}

/**
 * Every file of a film, main file first. Facts we read win over stated ones. Null if there is no
 * film.
 */
export function videoFilesOf(film: Film, facts: readonly FileFacts[]): readonly VideoFile[] | null {
  const files = filesOf(film)
  if (files.length === 0) return null
  const known = new Map(facts.map(({ filePath, ...read }) => [filePath, read]))
  return files.map((given) => fileOf(given, known.get(given.url), film))
}

function fileOf(
  { url, width, height, bitrateKbps }: GivenFile,
  read: Omit<FileFacts, 'filePath'> | undefined,
  { videoDurationMs }: Film,
): VideoFile {
  return {
    url,
    contentType: read?.contentType ?? typeOfAddress(url),
    width: read?.width ?? width ?? null,
    height: read?.height ?? height ?? null,
    durationMs: read?.durationMs ?? videoDurationMs,
    bitrateKbps: read?.bitrateKbps ?? bitrateKbps ?? null,
    byteCount: read?.byteCount ?? null,
  }
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/\.webm$/i, 'video/webm'],
  [/\.og[gv]$/i, 'video/ogg'],
  [/\.mov$/i, 'video/quicktime'],
  [/\.m3u8$/i, 'application/vnd.apple.mpegurl'],
  [/\.mpd$/i, 'application/dash+xml'],
]

/** By the file extension, because nothing here fetches the file. Most films are MP4. */
function typeOfAddress(url: string): string {
  const path = URL.parse(url, 'https://own.invalid')?.pathname ?? ''
  return TYPES.find(([ending]) => ending.test(path))?.[1] ?? 'video/mp4'
}
