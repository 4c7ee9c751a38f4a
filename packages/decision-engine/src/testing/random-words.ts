import type { FrequencyWindow } from '../changes/records.ts'

/** Words of rows and requests. Few of each, so that rows and requests meet often. */
export const COUNTRIES = ['US', 'DE', 'fr', 'NP', 'IN']
export const LANGUAGES = ['en', 'en-GB', 'de', 'pt-BR', 'pt']
export const SEGMENTS = ['high-intent', 'sport', 'cars', 'news']
export const HOSTS = ['example.com', 'shop.example.com', 'www.news.org', 'news.org', 'ample.com']
/** Several placements of one type of one publisher come up often. */
export const TYPES = ['feed', 'feed', 'feed', 'story', 'banner']
export const PUBLISHERS = [1, 1, 2]
export const FORMATS = ['single_image', 'video', 'html', 'native']
export const SIZES = ['300x250', '728x90', '160x600']
export const PRODUCTS = ['alcohol', 'toys', 'finance']
/** Of ads that must not be on one page. */
export const LABELS = ['cars', 'airlines', 'banks']
export const CATEGORIES = ['sport', 'tech', 'food']
export const ZONES = ['UTC', 'America/New_York', 'Asia/Kathmandu', 'Europe/Berlin']
export const WINDOWS: readonly FrequencyWindow[] = ['Hour', 'Day', 'Week', 'Month', 'Lifetime']
