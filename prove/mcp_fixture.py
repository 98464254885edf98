"""
What the conformance suite asks a server for, on our own transport.

The suite calls tools, resources and prompts that no real server has, and sends
no token. So they are served here through the same HTTP guard as the brain, with
the token put in.
"""

import socket
from collections.abc import Callable
from dataclasses import dataclass

from mcp.server.mcpserver import AssistantMessage, MCPServer, UserMessage
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import (
    AudioContent,
    Completion,
    EmbeddedResource,
    ImageContent,
    TextContent,
    TextResourceContents,
)
from starlette.types import ASGIApp, Receive, Scope, Send

from tilth.interfaces.mcp import http

TOKEN = "conformance-" + "0" * 32
_PIXEL = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk"
    "+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
_SILENCE = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=="


@dataclass(frozen=True, slots=True)
class WithToken:
    """Puts the token into every request, as a client of ours does."""

    app: ASGIApp

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass one request on."""
        if scope["type"] == "http":
            header = (b"authorization", f"Bearer {TOKEN}".encode())
            scope = {**scope, "headers": [*scope["headers"], header]}
        await self.app(scope, receive, send)


def serve(pipe_port: Callable[[int], None]) -> None:
    """Serve on a free port, and tell which."""
    listening: socket.socket = http.listen("127.0.0.1", 0)
    pipe_port(listening.getsockname()[1])
    app = http.guarded(_fixture(), http.security_of(listening), TOKEN)
    http.run(WithToken(app), listening)


def _fixture() -> MCPServer:
    server = MCPServer("fixture", version="1", log_level="ERROR")
    _add_tools(server)
    _add_resources(server)
    _add_prompts(server)
    return server


def _add_tools(server: MCPServer) -> None:
    image = ImageContent(type="image", data=_PIXEL, mime_type="image/png")
    resource = _embedded("test://embedded-resource", "This is an embedded resource content.")

    def simple() -> TextContent:
        return TextContent(type="text", text="This is a simple text response for testing.")

    def audio() -> AudioContent:
        return AudioContent(type="audio", data=_SILENCE, mime_type="audio/wav")

    def mixed() -> list[TextContent | ImageContent | EmbeddedResource]:
        text = TextContent(type="text", text="Multiple content types test:")
        return [text, image, _embedded("test://mixed", '{"test":"data","value":123}')]

    def failing() -> str:
        raise ToolError("This tool intentionally returns an error for testing")

    server.add_tool(simple, name="test_simple_text", description="Text.")
    server.add_tool(lambda: image, name="test_image_content", description="An image.")
    server.add_tool(audio, name="test_audio_content", description="A sound.")
    server.add_tool(lambda: resource, name="test_embedded_resource", description="A resource.")
    server.add_tool(mixed, name="test_multiple_content_types", description="All of them.")
    server.add_tool(failing, name="test_error_handling", description="An error.")


def _add_resources(server: MCPServer) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    def text() -> str:
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    def binary() -> bytes:
        return b"\x89PNG\r\n\x1a\n"

    @server.resource("test://template/{name}/data", mime_type="application/json")
    def template(name: str) -> str:
        return f'{{"id":"{name}","templateTest":true,"data":"Data for ID: {name}"}}'


def _add_prompts(server: MCPServer) -> None:
    @server.prompt(name="test_simple_prompt", description="One of the suite's.")
    def simple() -> str:
        return "This is a simple prompt for testing."

    @server.prompt(name="test_prompt_with_arguments", description="One of the suite's.")
    def arguments(arg1: str, arg2: str) -> str:
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(name="test_prompt_with_embedded_resource", description="One of the suite's.")
    def embedded(resourceUri: str) -> list[UserMessage | AssistantMessage]:  # noqa: N803 - the suite's
        resource = _embedded(resourceUri, "Embedded resource content for testing.")
        return [UserMessage(resource), UserMessage("Please process the embedded resource above.")]

    @server.prompt(name="test_prompt_with_image", description="One of the suite's.")
    def image() -> list[UserMessage | AssistantMessage]:
        picture = ImageContent(type="image", data=_PIXEL, mime_type="image/png")
        return [UserMessage(picture), UserMessage("Please analyze the image above.")]

    @server.completion()  # type: ignore[no-untyped-call,untyped-decorator] # the SDK's
    async def complete(_about: object, _argument: object, _context: object) -> Completion:
        return Completion(values=["paris", "park"], total=2, has_more=False)


def _embedded(uri: str, text: str) -> EmbeddedResource:
    contents = TextResourceContents(uri=uri, mime_type="text/plain", text=text)
    return EmbeddedResource(type="resource", resource=contents)
