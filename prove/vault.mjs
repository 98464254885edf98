// Opens a vault as Obsidian would: YAML blocks, wiki links, block names. Prints one JSON object.
//     node vault.mjs VAULT, from beside the node_modules that hold the parser
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import frontmatter from "remark-frontmatter";
import markdown from "remark-parse";
import wikiLinks from "remark-wiki-link";
import { unified } from "unified";
import yaml from "yaml";

const vault = process.argv[2];
const parser = unified().use(markdown).use(frontmatter).use(wikiLinks, { aliasDivider: "|" });

const paths = readdirSync(vault, { recursive: true })
  .filter((one) => one.endsWith(".md") && !one.startsWith("."));
const pages = new Map();
const names = new Map();
for (const path of paths) {
  const text = readFileSync(join(vault, path), "utf8");
  const tree = parser.runSync(parser.parse(text));
  const blocks = new Set([...text.matchAll(/ \^([0-9a-z-]+)$/gm)].map((found) => found[1]));
  pages.set(path, { text, tree, blocks });
  const name = basename(path, ".md").toLowerCase();
  names.set(name, [...(names.get(name) ?? []), path]);
}

const broken = [];
let links = 0;
let properties = 0;
const seen = (node, path) => {
  if (node.type === "yaml") {
    properties += 1;
    const read = yaml.parse(node.value);
    if (typeof read !== "object") broken.push(`${path}: its YAML block is no mapping`);
    for (const list of ["aliases", "tags"]) {
      if (read[list] !== undefined && !Array.isArray(read[list])) {
        broken.push(`${path}: ${list} is no list`);
      }
    }
    for (const one of read.related ?? []) follow(one.replace(/^\[\[|\]\]$/g, ""), path);
  }
  if (node.type === "wikiLink") follow(node.value, path);
  if (node.type === "html" && !node.value.startsWith("%%")) {
    broken.push(`${path}: HTML: ${node.value.slice(0, 60)}`);
  }
  for (const child of node.children ?? []) seen(child, path);
};
const follow = (value, path) => {
  links += 1;
  const [target, block] = value.split("|")[0].split("#^");
  const whole = `${target}.md`;
  const found = pages.has(whole) ? [whole] : names.get(basename(target).toLowerCase()) ?? [];
  if (found.length !== 1) broken.push(`${path}: [[${value}]] leads to ${found.length} pages`);
  else if (block && !pages.get(found[0]).blocks.has(block)) {
    broken.push(`${path}: [[${value}]] names no block`);
  }
};
for (const [path, page] of pages) seen(page.tree, path);
console.log(JSON.stringify({ pages: pages.size, properties, links, broken }));
