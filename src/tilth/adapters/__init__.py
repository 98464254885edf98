"""
Tilth inside the frameworks of others, one module each: their class, over a brain in this process.

    from tilth.adapters.langgraph import TilthStore
    from tilth.adapters.openai_agents import TilthSession
    from tilth.adapters.pydantic_ai import memory_tools
    from tilth.adapters.llama_index import TilthMemoryBlock
    from tilth.adapters.clients import remembering

A module needs the package that it is named after (`pip install 'tilth[langgraph]'`). Whatever
comes in through one is what an agent handed over: testimony, and never a person's word.
"""
