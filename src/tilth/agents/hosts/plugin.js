// Tilth for opencode: tells every message and tool call to tilth-hook; only a prompt waits for it,
// since what answers stands beside the prompt.
// Written by `tilth init opencode`, removed by `tilth unplug opencode`.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"

const program = "PROGRAM"
const home = ["HOME"]
const answerMilliseconds = 3000
const kept = 200

function tell(event, payload) {
  return new Promise((resolve) => {
    let said = ""
    const done = () => resolve(said)
    try {
      const hook = spawn(program, ["opencode", event, ...home], {
        stdio: ["pipe", "pipe", "ignore"],
      })
      hook.on("error", done)
      hook.on("close", done)
      hook.stdout.on("data", (chunk) => (said += chunk))
      hook.stdin.on("error", done)
      hook.stdin.end(JSON.stringify(payload))
      setTimeout(done, answerMilliseconds).unref?.()
    } catch {
      done()
    }
  })
}

// One after the other, so that they are kept in the order in which they were said.
let last = Promise.resolve("")
function tellNext(event, payload) {
  last = last.then(() => tell(event, payload))
  return last
}

function context(said) {
  try {
    return JSON.parse(said).context
  } catch {
    return "" // Nothing was said.
  }
}

export const Tilth = async ({ client, directory }) => {
  const roles = new Map()
  const texts = new Map()
  const told = new Map()
  const parents = new Map()
  const openings = new Map()

  function remember(map, key, value) {
    map.set(key, value)
    if (map.size > kept) map.delete(map.keys().next().value)
    return value
  }

  // A subagent works in a session of its own: what is asked there is no person's word.
  async function parentOf(id) {
    if (parents.has(id)) return parents.get(id)
    const found = await client?.session?.get({ path: { id } }).catch(() => undefined)
    return remember(parents, id, found?.data?.parentID)
  }

  // A text grows until it ends; what is broken off is told when the agent rests.
  function answered(id, { sessionID, messageID, text }) {
    texts.delete(id)
    const role = roles.get(messageID) ?? "assistant"
    if (told.has(id) || role === "user" || !text) return
    remember(told, id, true)
    void tellNext(`message.${role}`, { sessionID, messageID: id, cwd: directory, text })
  }

  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created" && about.info) {
        const { id, title, parentID } = about.info
        remember(parents, id, parentID)
        const begun = { sessionID: id, cwd: directory, title }
        if (parentID) void tellNext("subagent.created", begun)
        else remember(openings, id, tellNext("session.created", begun))
      } else if (event.type === "message.updated" && about.info) {
        remember(roles, about.info.id, about.info.summary === true ? "compaction" : about.info.role)
      } else if (event.type === "message.part.updated" && about.part?.type === "text") {
        const { id, messageID, sessionID, text, synthetic, time } = about.part
        if (synthetic) return
        remember(texts, id, { sessionID, messageID, text })
        if (time?.end) answered(id, about.part)
      } else if (event.type === "message.part.updated" && about.part?.type === "tool") {
        const { callID, sessionID, tool, state } = about.part
        if (state?.status !== "completed" && state?.status !== "error") return
        if (told.has(callID)) return
        remember(told, callID, true)
        void tellNext("tool", {
          sessionID,
          callID,
          cwd: directory,
          tool,
          args: state.input,
          output: state.output,
          error: state.error,
          exit: state.metadata?.exit,
        })
      } else if (event.type === "session.idle") {
        for (const [id, part] of texts) {
          if (part.sessionID === about.sessionID) answered(id, part)
        }
      }
    },
    "chat.message": async (_, { message, parts }) => {
      const { id: messageID, sessionID } = message
      const typed = parts.filter((one) => one.type === "text" && !one.synthetic)
      if (!typed.length) return
      const text = typed.map((one) => one.text).join("\n")
      const parentID = await parentOf(sessionID)
      const about = { sessionID, messageID, parentID, cwd: directory, text }
      const answer = await tellNext("message.user", about)
      const brief = await openings.get(sessionID)
      openings.delete(sessionID)
      for (const text of [brief, answer].map(context).filter(Boolean)) {
        const id = `prt_${randomUUID().replaceAll("-", "")}`
        parts.push({ id, sessionID, messageID, type: "text", text, synthetic: true })
      }
    },
    "experimental.session.compacting": async (input, output) => {
      const said = await tellNext("session.compacting", { sessionID: input.sessionID, cwd: directory })
      const brief = context(said)
      if (brief) output.context.push(brief)
    },
  }
}
