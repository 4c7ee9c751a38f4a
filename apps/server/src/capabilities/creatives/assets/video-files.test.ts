import { expect, test } from 'vitest'
import { ownPathsOf, videoFilesOf } from './video-files.ts'

const OWN = '/api/v1/assets/019a1b2c-0000-7000-8000-000000000001/file'
const FILM = {
  videoUrl: OWN,
  videoDurationMs: 9_000,
  videoRenditions: [
    { url: 'https://cdn.example/small.webm', width: 640, height: 360, bitrateKbps: 800 },
  ],
  width: 1,
  height: 1,
}
const READ = {
  filePath: OWN,
  contentType: 'video/mp4',
  byteCount: 2_906,
  width: 64,
  height: 36,
  durationMs: 6_000,
  bitrateKbps: 3,
}

test('facts read from our own file win over those of its banner', () => {
  const [main] = videoFilesOf(FILM, [READ])!

  expect(main).toEqual({
    url: OWN,
    contentType: 'video/mp4',
    byteCount: 2_906,
    width: 64,
    height: 36,
    durationMs: 6_000,
    bitrateKbps: 3,
  })
})

test('a file elsewhere has only the facts that its banner states', () => {
  const [, further] = videoFilesOf(FILM, [READ])!

  expect(further).toEqual({
    url: 'https://cdn.example/small.webm',
    contentType: 'video/webm',
    width: 640,
    height: 360,
    durationMs: 9_000,
    bitrateKbps: 800,
    byteCount: null,
  })
})

test('only our own files are looked up', () => {
  expect(ownPathsOf(FILM)).toEqual([OWN])
  expect(ownPathsOf({ ...FILM, videoUrl: 'https://cdn.example/a.mp4' })).toEqual([])
})

test('a banner without a film has no files, whatever renditions it names', () => {
  expect(videoFilesOf({ ...FILM, videoUrl: null }, [])).toBeNull()
})
