// Shows what the tag on this page does. A publisher's page does not need this.
const counts = { served: 0, shown: 0, seen: 0, clicked: 0 }
const NAMES = { impression: 'shown', view: 'seen', click: 'clicked' }

function count(name, more = 1) {
  counts[name] += more
  document.getElementById(name).textContent = String(counts[name])
}

// The tag emits the state of each slot.
document.addEventListener('placard', ({ target, detail }) => {
  if (detail.state !== 'filled') return
  count('served', target.shadowRoot.querySelectorAll('a.cell').length)
})

// It reports impressions and views to Placard in requests that are visible here.
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

function applyConsent(isAllowed) {
  window.placard ||= []
  window.placard.push(['consent', { storage: isAllowed, personalisation: isAllowed }])
}

if (kept) applyConsent(true)
consent.addEventListener('change', () => {
  localStorage.setItem('demo-consent', consent.checked ? 'yes' : 'no')
  applyConsent(consent.checked)
})

document.getElementById('tags').addEventListener('change', ({ target }) => {
  document.body.classList.toggle('tags', target.checked)
})
