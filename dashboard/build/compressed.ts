// Writes `.br` and `.gz` beside each file of the build, so that the server compresses nothing.
import { readFile, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Plugin } from "vite";

const WORTHWHILE = /\.(html|js|css|svg|json|webmanifest)$/;

export function compressed(folder: string): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async closeBundle() {
      let total = 0;
      for (const file of await files(folder)) {
        if (!WORTHWHILE.test(file)) continue;
        const bytes = await readFile(file);
        const small = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        total += small.length;
        await writeFile(`${file}.br`, small);
        await writeFile(`${file}.gz`, gzipSync(bytes, { level: 9 }));
      }
      this.info(`${(total / 1000).toFixed(0)} kB in all with brotli`);
    },
  };
}

async function files(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}
