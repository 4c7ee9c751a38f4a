import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const SQUEEZABLE = /\.(?:js|css|svg)$/

/** Squeezes each part once, here, and not for every reader. */
const squeeze = (): Plugin => ({
  name: 'squeeze',
  apply: 'build',
  async writeBundle({ dir = 'dist' }) {
    const names = await readdir(path.join(dir, 'assets'))
    const parts = names.filter((name) => SQUEEZABLE.test(name))
    await Promise.all(parts.map((name) => squeezeFile(path.join(dir, 'assets', name))))
  },
})

async function squeezeFile(file: string): Promise<void> {
  const bytes = await readFile(file)
  await writeFile(`${file}.gz`, await promisify(gzip)(bytes, { level: 9 }))
  await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes))
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwind(), squeeze()],
  build: { target: 'es2023', assetsInlineLimit: 0, chunkSizeWarningLimit: 600 },
  server: { proxy: { '/api': 'http://127.0.0.1:8080', '/health': 'http://127.0.0.1:8080' } },
})
