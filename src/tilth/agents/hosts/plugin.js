// Tilth for opencode: tells every message and tool call to tilth-hook, and waits for none.
// Written by `tilth init opencode`, removed by `tilth unplug opencode`.
import { spawn } from "node:child_process"

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

export const Tilth = async ({ directory }) => {
  const roles = new Map()
  const texts = new Map()
  const tools = new Map()

  function remember(map, key, value) {
    map.set(key, value)
    if (map.size > messagesKept) map.delete(map.keys().next().value)
  }

  // A message comes in pieces: a user's is told when the agent begins, an agent's when it rests.
  function flush(sessionID, wanted) {
    for (const [messageID, parts] of texts) {
      if (parts.sessionID !== sessionID || !wanted.includes(roles.get(messageID))) continue
      const text = [...parts.texts.values()].join("\n")
      texts.delete(messageID)
      void tellNext(`message.${roles.get(messageID)}`, { sessionID, messageID, cwd: directory, text })
    }
  }

  return {
    event: async ({ event }) => {
      const about = event.properties ?? {}
      if (event.type === "session.created") {
        const { id, title } = about.info ?? {}
        void tellNext(event.type, { sessionID: id, cwd: directory, title })
      } else if (event.type === "message.updated" && about.info) {
        remember(roles, about.info.id, about.info.role)
        if (about.info.role === "assistant") flush(about.info.sessionID, ["user"])
      } else if (event.type === "message.part.updated" && about.part?.type === "text") {
        const { id, messageID, sessionID, text, synthetic } = about.part
        if (synthetic) return
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
        flush(about.sessionID, ["user", "assistant"])
      }
    },
    "experimental.session.compacting": async (input, output) => {
      const said = await tellNext("session.compacting", { sessionID: input.sessionID, cwd: directory })
      try {
        output.context.push(JSON.parse(said).context)
      } catch {
        // Nothing was said.
      }
    },
  }
}
