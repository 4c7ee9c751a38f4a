// Shows what the tag of this page does; a publisher's page needs none of this.
const counts = { served: 0, shown: 0, seen: 0, clicked: 0 }
const NAMES = { impression: 'shown', view: 'seen', click: 'clicked' }

function count(name, more = 1) {
  counts[name] += more
  document.getElementById(name).textContent = String(counts[name])
}

// The tag says what becomes of each slot.
document.addEventListener('placard', ({ target, detail }) => {
  if (detail.state !== 'filled') return
  count('served', target.shadowRoot.querySelectorAll('a.cell').length)
})

// And it tells Placard what was shown and seen, in the open.
const plainFetch = window.fetch
window.fetch = (url, options) => {
  if (typeof url === 'string' && url.endsWith('/t/e')) {
    for (const { kind } of JSON.parse(options.body).events) count(NAMES[kind])
  }
  return plainFetch(url, options)
}

document.addEventListener('click', (event) => {
  const link = event.composedPath().find((element) => element.href)
  if (link?.href.includes('/t/c/')) count('clicked')
})

const consent = document.getElementById('consent')
const kept = localStorage.getItem('demo-consent') === 'yes'
consent.checked = kept

function tell(isAllowed) {
  window.placard ||= []
  window.placard.push(['consent', { storage: isAllowed, personalisation: isAllowed }])
}

if (kept) tell(true)
consent.addEventListener('change', () => {
  localStorage.setItem('demo-consent', consent.checked ? 'yes' : 'no')
  tell(consent.checked)
})

document.getElementById('tags').addEventListener('change', ({ target }) => {
  document.body.classList.toggle('tags', target.checked)
})
