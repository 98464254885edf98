// Tilth for opencode: tells every message and tool call to tilth-hook; only a prompt waits for it,
// since what answers stands beside the prompt.
// Written by `tilth init opencode`, removed by `tilth unplug opencode`.
import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"

const program = "PROGRAM"
const home = ["HOME"]
const answerMilliseconds = 1000
const messagesKept = 200

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

export const Tilth = async ({ directory }) => {
  const roles = new Map()
  const texts = new Map()
  const tools = new Map()
  const openings = new Map()

  function remember(map, key, value) {
    map.set(key, value)
    if (map.size > messagesKept) map.delete(map.keys().next().value)
  }

  // An agent's message comes in pieces, and is whole when the agent rests.
  function flush(sessionID) {
    for (const [messageID, parts] of texts) {
      if (parts.sessionID !== sessionID || roles.get(messageID) !== "assistant") continue
      const text = [...parts.texts.values()].join("\n")
      texts.delete(messageID)
      void tellNext("message.assistant", { sessionID, messageID, cwd: directory, text })
    }
  }

  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created") {
        const { id, title, parentID } = about.info ?? {}
        const begun = { sessionID: id, cwd: directory, title }
        if (parentID) void tellNext("subagent.created", begun)
        else remember(openings, id, tellNext("session.created", begun))
      } else if (event.type === "message.updated" && about.info) {
        remember(roles, about.info.id, about.info.role)
      } else if (event.type === "message.part.updated" && about.part?.type === "text") {
        const { id, messageID, sessionID, text, synthetic } = about.part
        if (synthetic || roles.get(messageID) === "user") return
        const parts = texts.get(messageID) ?? { sessionID, texts: new Map() }
        parts.texts.set(id, text)
        remember(texts, messageID, parts)
      } else if (event.type === "message.part.updated" && about.part?.type === "tool") {
        const { callID, sessionID, tool, state } = about.part
        if (state?.status !== "completed" && state?.status !== "error") return
        if (tools.has(callID)) return
        remember(tools, callID, true)
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
        flush(about.sessionID)
      }
    },
    "chat.message": async (_, { message, parts }) => {
      const { id: messageID, sessionID } = message
      const texts = parts.filter((one) => one.type === "text" && !one.synthetic).map((one) => one.text)
      if (!texts.length) return
      const about = { sessionID, messageID, cwd: directory, text: texts.join("\n") }
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
      const told = context(said)
      if (told) output.context.push(told)
    },
  }
}
