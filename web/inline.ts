// A Vite plugin that produces one HTML file: it inlines script and style, and adds a content security
// policy that allows only these two, by their hash. Even if a name in the results could become
// markup, it could neither run nor load anything.
import { createHash } from "node:crypto";
import type { Plugin } from "vite";

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

function policy(script: string, style: string): string {
  const rules = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "connect-src 'self'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ];
  return `<meta http-equiv="Content-Security-Policy" content="${rules.join("; ")}" />`;
}

export function inlineEverything(): Plugin {
  return {
    name: "inline-everything",
    enforce: "post",
    generateBundle(_, bundle) {
      let script = "";
      let style = "";
      for (const [name, file] of Object.entries(bundle)) {
        if (file.type === "chunk") script += file.code.trim();
        else if (name.endsWith(".css")) style += String(file.source).trim();
        else continue;
        delete bundle[name];
      }
      script = script.replace(/<\/(script)/gi, "<\\/$1").replace(/<!--/g, "<\\!--");
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("index.html is not in the bundle");
      page.source = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("<title>", () => `${policy(script, style)}\n    <title>`)
        .replace("</head>", () => `  <style>${style}</style>\n  </head>`)
        .replace("</body>", () => `  <script>${script}</script>\n  </body>`);
    },
  };
}
