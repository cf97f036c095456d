import { readFileSync } from "node:fs";
import { defineConfig } from "vite";

const read = (names) => names.map((name) => readFileSync(new URL("../../" + name, import.meta.url), "utf8")).join("\n");

// The panes of the reports and the pictures are plain scripts, which stand alone in a page. Here they are one module. The style of pictures is for their pane alone.
const report = {
  name: "report",
  resolveId: (id) => ({ "virtual:report": "\0report", "virtual:behaviour.css": "/behaviour.css" })[id],
  load(id) {
    if (id === "/behaviour.css") return ".behaviour {\n" + read(["picture/colours.css", "picture/figure.css", "picture/page.css"]).replaceAll(":root", ".whole") + "}\n";
    if (id !== "\0report") return undefined;
    return read(["report/shared.js", "report/sequence.js", "report/findings.js", "report/mine.js", "picture/page.js"]) + "\nexport { findings, mined, pictured };\n";
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
    rollupOptions: { output: { entryFileNames: "app.js", chunkFileNames: "[name].js", assetFileNames: "app[extname]" } },
  },
});
