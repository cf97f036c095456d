import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

// The panes of the reports are plain scripts, which stand alone in a page. Here they are one module.
const report = {
  name: "report",
  resolveId: (id) => (id === "virtual:report" ? "\0report" : undefined),
  load(id) {
    if (id !== "\0report") return undefined;
    const files = ["shared.js", "sequence.js", "findings.js", "mine.js"].map((name) => new URL("../../report/" + name, import.meta.url));
    return files.map((f) => readFileSync(f, "utf8")).join("\n") + "\nexport { findings, mined };\n";
  },
};

export default defineConfig({
  base: "./",
  plugins: [report],
  esbuild: { jsx: "automatic", jsxImportSource: "preact" },
  build: {
    outDir: "../dist",
    emptyOutDir: true,
    modulePreload: false,
    target: "es2022",
    rollupOptions: { output: { entryFileNames: "app.js", assetFileNames: "app[extname]" } },
  },
});
