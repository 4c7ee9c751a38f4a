// A player of one page: asks for VAST, plays the film, and tells each step. Real players do more.
const stage = document.querySelector('[data-film]')
const poster = stage.querySelector('img')
const steps = document.querySelector('.steps')

stage.querySelector('button').addEventListener('click', ({ target }) => {
  target.hidden = true
  // A request that reads XML by itself: the page's policy forbids to parse text.
  const request = new XMLHttpRequest()
  request.responseType = 'document'
  request.addEventListener('load', () => begin(request.responseXML))
  request.open('GET', `/vast/${stage.dataset.film}?v=4.2&w=640&h=360`)
  request.send()
})

const textsIn = (element, name) =>
  [...element.getElementsByTagName(name)].map(({ textContent }) => textContent)

function tell(name, addresses) {
  for (const address of addresses) new Image().src = address
  if (addresses.length === 0) return
  const step = document.createElement('li')
  step.textContent = name
  steps.append(step)
}

function begin(vast) {
  const ad = vast?.getElementsByTagName('InLine')[0]
  if (ad === undefined) return showFilm()
  play(ad)
}

/** The film itself would start here. */
function showFilm() {
  stage.replaceChildren(poster)
}

const QUARTILES = [
  ['firstQuartile', 0.25],
  ['midpoint', 0.5],
  ['thirdQuartile', 0.75],
]

function play(ad) {
  const video = document.createElement('video')
  const told = new Set()
  const once = (event) => {
    if (told.has(event)) return
    told.add(event)
    const tracking = [...ad.getElementsByTagName('Tracking')]
    const found = tracking.filter((one) => one.getAttribute('event') === event)
    tell(
      event,
      found.map(({ textContent }) => textContent),
    )
  }
  video.src = textsIn(ad, 'MediaFile')[0]
  video.playsInline = true
  video.setAttribute('aria-label', `Advertisement: ${textsIn(ad, 'AdTitle')[0]}`)
  video.addEventListener('playing', () => {
    if (told.has('start')) return once('resume')
    tell('impression', textsIn(ad, 'Impression'))
    once('start')
  })
  video.addEventListener('timeupdate', () => {
    const share = video.currentTime / video.duration
    if (video.currentTime >= 2) tellView(ad, told)
    for (const [event, from] of QUARTILES) if (share >= from) once(event)
  })
  video.addEventListener('volumechange', () => once(video.muted ? 'mute' : 'unmute'))
  video.addEventListener('pause', () => video.ended || once('pause'))
  video.addEventListener('error', () => {
    tell('error', [textsIn(ad, 'Error')[0].replace('[ERRORCODE]', '405')])
    showFilm()
  })
  video.addEventListener('ended', () => {
    once('complete')
    showFilm()
  })
  video.addEventListener('click', () => {
    video.pause()
    window.open(textsIn(ad, 'ClickThrough')[0], '_blank')
  })
  stage.replaceChildren(
    video,
    skipButton(ad, video, () => once('skip')),
  )
  video.play().catch(() => {
    video.muted = true
    return video.play()
  })
}

/** Half of it was on the screen for two seconds: here the page is small enough to assume so. */
function tellView(ad, told) {
  if (told.has('viewable')) return
  told.add('viewable')
  tell('viewable', textsIn(ad, 'Viewable'))
}

function skipButton(ad, video, tellSkip) {
  const button = document.createElement('button')
  const offset = ad.getElementsByTagName('Linear')[0].getAttribute('skipoffset')
  const [hours, minutes, seconds] = (offset ?? '').split(':').map(Number)
  const skipAfter = hours * 3600 + minutes * 60 + seconds
  button.type = 'button'
  button.hidden = true
  button.textContent = 'Skip the ad'
  video.addEventListener('timeupdate', () => (button.hidden = !(video.currentTime >= skipAfter)))
  button.addEventListener('click', () => {
    tellSkip()
    video.pause()
    showFilm()
  })
  return button
}
