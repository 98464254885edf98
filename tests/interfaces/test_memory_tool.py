"""Files under /memories, as the memory tool of Anthropic's API wants them, on every store."""

import pytest

import tilth
from tilth.interfaces.memory_tool import BRIEF, FILE_CHARS_MAX, MemoryTool, Outcome

NOTE = "/memories/notes/queue.md"
TEXT = "The queue is kept in Postgres.\nAsk Ada.\nAsk Ben."


@pytest.fixture
def tool(brain):
    return MemoryTool(brain)


@pytest.fixture
def call(tool):
    return lambda command, **arguments: tool.call({"command": command, **arguments})


@pytest.fixture
def written(call):
    return call("create", path=NOTE, file_text=TEXT)


def content(call, path=NOTE):
    lines = call("view", path=path).text.split("\n")[1:]
    return "\n".join(line.partition("\t")[2] for line in lines)


def test_it_is_part_of_the_public_api():
    assert tilth.MemoryTool is MemoryTool


def test_what_was_created_is_read_back_with_its_lines_numbered(call, written):
    assert written == Outcome(f"File created successfully at: {NOTE}")
    assert call("view", path=NOTE) == Outcome(
        f"Here's the content of {NOTE} with line numbers:\n"
        "     1\tThe queue is kept in Postgres.\n     2\tAsk Ada.\n     3\tAsk Ben."
    )
    assert call("view", path=NOTE, view_range=[2, -1]).text.endswith("     3\tAsk Ben.")


def test_a_folder_is_listed_two_levels_deep(call, written):
    call("create", path="/memories/a/b/c.md", file_text="x" * 2048)
    call("create", path="/memories/.hidden", file_text="x")

    assert call("view", path="/memories") == Outcome(
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden"
        " items and node_modules:\n"
        f"2.0K\t/memories\n2.0K\t/memories/a\n2.0K\t/memories/a/b\n{len(TEXT)}\t/memories/notes\n"
        f"{len(TEXT)}\t{NOTE}"
    )


def test_an_empty_memory_is_an_empty_folder(call):
    assert call("view", path="/memories").text.endswith("\n0\t/memories")


def test_text_is_replaced_where_it_stands_once(call, written):
    told = call("str_replace", path=NOTE, old_str="Ask Ada.", new_str="Ask Eve.")

    assert told.text.startswith("The memory file has been edited.\n")
    assert "     2\tAsk Eve." in told.text
    assert content(call) == TEXT.replace("Ada", "Eve")


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (
            {"command": "str_replace", "path": NOTE, "old_str": "Ask", "new_str": "x"},
            "Multiple occurrences of old_str `Ask` in lines: 2, 3.",
        ),
        (
            {"command": "str_replace", "path": NOTE, "old_str": "Eve", "new_str": "x"},
            f"No replacement was performed, old_str `Eve` did not appear verbatim in {NOTE}.",
        ),
        (
            {"command": "insert", "path": NOTE, "insert_line": 4, "insert_text": "x"},
            "Error: Invalid `insert_line` parameter: 4.",
        ),
        ({"command": "create", "path": NOTE, "file_text": "x"}, f"File {NOTE} already exists"),
        ({"command": "view", "path": NOTE, "view_range": [1]}, "two numbers"),
        ({"command": "view", "path": NOTE, "view_range": ["a", "b"]}, "holds numbers"),
        ({"command": "view", "path": "/memories/no"}, "Please provide a valid path."),
        ({"command": "view", "path": NOTE, "view_range": [3, 9]}, "Invalid `view_range`"),
        ({"command": "delete", "path": "/memories/no"}, "The path /memories/no does not exist"),
        ({"command": "delete", "path": "/memories"}, "/memories itself stays"),
        (
            {"command": "rename", "old_path": NOTE, "new_path": NOTE},
            f"The destination {NOTE} already exists",
        ),
        ({"command": "rename", "old_path": "/memories/no", "new_path": NOTE}, "does not exist"),
        ({"command": "create", "path": f"{NOTE}/x", "file_text": "x"}, "in a file"),
        ({"command": "create", "path": BRIEF, "file_text": "x"}, "made when it is read"),
        ({"command": "sing"}, "the commands are view, create"),
        ({"command": "view"}, "missing a required argument"),
        ({"command": "view", "path": 7}, "path is not a str"),
        (
            {"command": "create", "path": "/memories/x", "file_text": "x" * (FILE_CHARS_MAX + 1)},
            "at most",
        ),
    ],
)
def test_what_cannot_be_done_is_said_and_changes_nothing(tool, call, written, command, said):
    told = tool.call(command)

    assert told.is_error
    assert said in told.text
    assert content(call) == TEXT


@pytest.mark.parametrize("line", [0, 1, 3])
def test_text_is_put_behind_a_line(call, written, line):
    told = call("insert", path=NOTE, insert_line=line, insert_text="new\n")

    assert told == Outcome(f"The file {NOTE} has been edited.")
    lines = TEXT.split("\n")
    assert content(call).split("\n") == [*lines[:line], "new", *lines[line:]]


def test_a_folder_is_renamed_with_all_that_is_in_it(call, written):
    told = call("rename", old_path="/memories/notes", new_path="/memories/kept")

    assert told == Outcome("Successfully renamed /memories/notes to /memories/kept")
    assert content(call, "/memories/kept/queue.md") == TEXT
    assert call("view", path=NOTE).is_error


def test_what_is_deleted_is_gone_and_its_history_stays(call, brain, written):
    assert call("delete", path="/memories/notes") == Outcome("Successfully deleted /memories/notes")

    assert call("view", path=NOTE).is_error
    assert any(TEXT in episode.text for episode in brain.episodes.list())
    assert not call("create", path=NOTE, file_text="again").is_error
    assert content(call) == "again"


def test_what_is_written_is_found_by_recall(call, brain, written):
    (hit, *_) = brain.recall("where is the queue kept").hits

    assert "Postgres" in hit.text


def test_the_brief_is_a_file_that_is_made_when_it_is_read(call, brain):
    brain.remember("We decided to keep the queue.", session_id="s")
    brain.distil()

    assert "We decided to keep the queue." in call("view", path=BRIEF).text
    assert [one.context.via for one in brain.receipts.list()] == ["memory-tool/view"]


def test_each_scope_has_files_of_its_own(brain, call, written):
    other = MemoryTool(brain, scope="project:acme/api")

    assert other.call({"command": "view", "path": NOTE}).is_error


OUTSIDE = (
    "/etc/passwd",
    "memories/x",
    "/memoriesx/y",
    "/memories/../etc/passwd",
    "/memories/a/../../b",
    "/memories/./x",
    "/memories//x",
    "/memories/%2e%2e/x",
    "/memories/..%2fx",
    "/memories/..\\x",
    "/memories/a\x00b",
    "/memories/a\nb",
    "/memories/ .. /x",
    "/memories/<private>/x",
    "",
    "/",
)


@pytest.mark.parametrize("command", ["view", "create", "delete", "rename"])
@pytest.mark.on_sqlite(but=1)
def test_a_path_that_leads_outside_is_refused(call, written, command):
    for path in OUTSIDE:
        arguments = {
            "view": {"path": path},
            "create": {"path": path, "file_text": "x"},
            "delete": {"path": path},
            "rename": {"old_path": NOTE, "new_path": path},
        }[command]

        told = call(command, **arguments)

        assert told.is_error, path
        assert "is not a path under /memories" in told.text, path
    assert content(call) == TEXT
