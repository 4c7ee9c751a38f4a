/** Devices to choose from in a request. */
export const DEVICES = [
  { value: '', label: 'Any' },
  { value: 'desktop', label: 'Desktop' },
  { value: 'mobile', label: 'Mobile' },
  { value: 'tablet', label: 'Tablet' },
]
