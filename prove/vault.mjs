// Opens a vault as Obsidian would: YAML blocks, wiki links, block names, tags, names of files.
// Two parsers read each page, and must see the same links. Prints one JSON object.
//     node vault.mjs VAULT, from beside the node_modules that hold the parsers
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { ofmTagFromMarkdown } from "@moritzrs/mdast-util-ofm-tag";
import { ofmWikilinkFromMarkdown } from "@moritzrs/mdast-util-ofm-wikilink";
import { ofmTag } from "@moritzrs/micromark-extension-ofm-tag";
import { ofmWikilink } from "@moritzrs/micromark-extension-ofm-wikilink";
import { fromMarkdown } from "mdast-util-from-markdown";
import { frontmatterFromMarkdown } from "mdast-util-frontmatter";
import { frontmatter as yamlBlock } from "micromark-extension-frontmatter";
import frontmatter from "remark-frontmatter";
import markdown from "remark-parse";
import wikiLinks from "remark-wiki-link";
import { unified } from "unified";
import yaml from "yaml";

const vault = process.argv[2];
const parser = unified().use(markdown).use(frontmatter).use(wikiLinks, { aliasDivider: "|" });

const strict = (text) =>
  fromMarkdown(text, {
    extensions: [yamlBlock(["yaml"]), ofmWikilink(), ofmTag()],
    mdastExtensions: [
      frontmatterFromMarkdown(["yaml"]), ofmWikilinkFromMarkdown(), ofmTagFromMarkdown(),
    ],
  });

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

// What Windows, macOS, Linux or Obsidian does not take in a name, and what it reads otherwise.
const FORBIDDEN = /[\x00-\x1f\x7f*"\\/<>:|?#^[\]`]|[. ]$|^ /;
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const entries = readdirSync(vault, { recursive: true });
const spellings = new Map();
for (const path of entries) {
  for (const part of path.split("/")) {
    if (FORBIDDEN.test(part) || RESERVED.test(part) || Buffer.byteLength(part) > 255) {
      broken.push(`${path}: ${part} is no name everywhere`);
    }
  }
  const spelling = path.normalize("NFC").toLowerCase().toUpperCase();
  if (spellings.has(spelling)) broken.push(`${path}: ${spellings.get(spelling)} by case alone`);
  spellings.set(spelling, path);
}

const KEY = /^[A-Za-z][A-Za-z0-9_-]*$/;
const TAG = /^[\p{L}\p{N}_\-/]*[\p{L}_\-/][\p{L}\p{N}_\-/]*$/u;
const isPlain = (value) => value === null || typeof value !== "object";
const inYaml = (text, path) => {
  // Twice the same key is an error of this parser.
  const read = yaml.parse(text, { strict: true, uniqueKeys: true });
  if (typeof read !== "object" || Array.isArray(read)) {
    broken.push(`${path}: its YAML block is no mapping`);
    return;
  }
  for (const [key, value] of Object.entries(read)) {
    if (!KEY.test(key)) broken.push(`${path}: ${key} is no key`);
    if (!(isPlain(value) || (Array.isArray(value) && value.every(isPlain)))) {
      broken.push(`${path}: ${key} is nested, which Obsidian shows as no property`);
    }
  }
  for (const one of ["tag", "alias", "cssclass"]) {
    if (one in read) broken.push(`${path}: Obsidian does not read ${one} any more`);
  }
  for (const list of ["aliases", "tags", "cssclasses"]) {
    if (read[list] !== undefined && !Array.isArray(read[list])) {
      broken.push(`${path}: ${list} is no list`);
    }
  }
  for (const one of read.tags ?? []) if (!TAG.test(one)) broken.push(`${path}: no tag: ${one}`);
  for (const one of read.related ?? []) follow(one.replace(/^\[\[|\]\]$/g, ""), path);
};
const seen = (node, path) => {
  if (node.type === "yaml") {
    properties += 1;
    inYaml(node.value, path);
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
const linksIn = (node, found, path) => {
  if (node.type === "wikiLink") found.push(node.value.split("|")[0].replaceAll("\\", ""));
  if (node.type === "ofmWikilink") {
    found.push(node.hash ? `${node.url}#${node.hash}` : node.url);
  }
  if (node.type === "ofmTag") broken.push(`${path}: a tag that nobody gave: ${node.value}`);
  for (const child of node.children ?? []) linksIn(child, found, path);
  return found;
};
for (const [path, page] of pages) {
  seen(page.tree, path);
  const [one, other] = [page.tree, strict(page.text)].map((tree) => linksIn(tree, [], path));
  if (JSON.stringify(one) !== JSON.stringify(other)) {
    const at = one.findIndex((link, number) => link !== other[number]);
    broken.push(`${path}: two parsers see other links: ${one[at]} and ${other[at]}`);
  }
}
console.log(JSON.stringify({ pages: pages.size, properties, links, broken }));
