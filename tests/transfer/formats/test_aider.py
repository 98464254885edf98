"""Aider's chat history."""

import pytest

from tests.transfer.read_lines import read_whole
from tilth.transfer.formats import aider

HISTORY = """
# aider chat started at 2026-01-02 10:00:00

> Aider v0.86.1
> Model: gpt-5 with diff edit format
> Git repo: .git with 12 files

#### We decided to use Postgres for the ledger.
#### Write the migration.

I will add it.

migration.sql
```sql
#### no heading of a user
> no note either
# aider chat is just a comment
CREATE TABLE ledger (seq INTEGER);
```

> Tokens: 2.3k sent, 100 received.
Cost: $0.02 message, $0.07 session. Use --no-stream for accurate costs.
> Applied edit to migration.sql

#### thanks

# aider chat started at 2026-01-03 09:00:00

#### Which database did we choose?

Postgres.
"""


@pytest.fixture
def imported(ready, home):
    (home / "shop").mkdir()
    (home / "shop" / ".aider.chat.history.md").write_text(HISTORY)
    assert ready("import", home / "shop").code == 0
    return ready


def sessions(tilth):
    found = tilth("session", "list", "--json").answer["sessions"]
    return sorted(found, key=lambda one: one["started_at"])


@pytest.mark.row("MP-03")
def test_each_chat_is_a_session_with_who_said_what(imported):
    first, second = sessions(imported)
    shown = imported("session", "show", first["id"], "--json").answer
    said = [(one["role"], one["text"]) for one in shown["episodes"]]

    assert first["started_at"].startswith("2026-01-02T10:00:00")
    assert second["started_at"].startswith("2026-01-03T09:00:00")
    assert said[0] == (
        "user", "We decided to use Postgres for the ledger.\nWrite the migration."
    )  # fmt: skip
    assert said[1] == ("assistant", "edit: migration.sql")
    assert said[2][0] == "assistant"
    assert "#### no heading of a user" in said[2][1]
    assert said[3:] == [
        ("tool", "Applied edit to migration.sql"),
        ("user", "thanks"),
    ]
    assert first["info"]["folder"].endswith("shop")


@pytest.mark.row("MP-03")
def test_a_history_that_grew_adds_only_what_is_new(imported, home):
    path = home / "shop" / ".aider.chat.history.md"
    path.write_text(path.read_text() + "\n#### And which port?\n\n5432.\n")
    imported("import", path)

    counts = [one["episode_count"] for one in sessions(imported)]
    assert counts == [5, 4]


def test_what_a_person_tells_aider_itself_is_no_ask(tmp_path):
    reading = read_chat(
        tmp_path,
        "#### /add src/till.py  ",
        "####   src/door.py  ",
        "> Added src/till.py to the chat  ",
        "",
        "#### !ls -la  ",
        "> Added 3 lines of output to the chat.  ",
        "",
        "#### /runs are slow, why?  ",
        "",
        "#### /copy-context Which port has the till?  ",
        "> Copied code context to clipboard.  ",
    )

    assert reading.said == [
        "system: /add src/till.py\n  src/door.py",
        "tool: Added src/till.py to the chat",
        "system: !ls -la",
        "tool: Added 3 lines of output to the chat.",
        "user: /runs are slow, why?",
        "user: Which port has the till?",
        "tool: Copied code context to clipboard.",
    ]


def test_a_thought_that_broke_off_is_no_answer(tmp_path):
    reading = read_chat(
        tmp_path,
        "#### Paint the shed.  ",
        "",
        "<thinking-content-0123456789abcdef0123456789abcdef>",
        "",
        "Okay, always paint it green",
        "",
        "> APIConnectionError: no answer  ",
        "> Retrying in 0.2 seconds...  ",
        "",
        "It is green.",
    )

    assert reading.said == [
        "user: Paint the shed.",
        "tool: APIConnectionError: no answer\nRetrying in 0.2 seconds...",
        "assistant: It is green.",
    ]
    assert reading.reasons == {"left out: thoughts": 1}


@pytest.mark.parametrize(
    ("options", "is_programs"),
    [
        ("--yes-always --message Always paint sheds green.", True),
        ("--message Always paint sheds green. --yes", True),
        ("--model sonnet --message Always paint sheds green.", False),
        ("--yes-always", False),
    ],
)
def test_the_prompt_of_a_run_that_nobody_watches_is_a_programs(tmp_path, options, is_programs):
    reading = read_chat(
        tmp_path,
        f"> /usr/local/bin/aider {options}  ",
        "> Aider v0.86.1  ",
        "",
        "#### Always paint sheds green.  ",
        "",
        "They are green.",
    )

    (prompt,) = (one for one in reading.drafts if one.role == "user")
    assert prompt.metadata.get("agent_prompted", False) is is_programs


def test_an_exchange_names_the_files_that_aider_edited(brain, tmp_path):
    chat = (
        "# aider chat started at 2026-02-03 10:00:00\n\n#### Keep the jars above, and say so.  \n\n"
        "They stand above.\n\n> Applied edit to docs/shelf.md  \n> Applied edit to shelf.py  \n"
    )
    (tmp_path / ".aider.chat.history.md").write_text(chat)

    list(brain.import_sources(brain.find_sources(str(tmp_path))))

    (one,) = brain.exchanges.list()
    assert one.files == ("docs/shelf.md", "shelf.py")


def read_chat(folder, *lines):
    """Read a chat whose lines are as Aider ends them: two spaces after what it marks."""
    text = "\n".join(("", "# aider chat started at 2026-02-03 10:00:00", "", *lines))
    return read_whole(aider, folder, ".aider.chat.history.md", f"{text}\n")


ARCHITECT = (
    "#### Let the cart keep its lines.  ",
    "",
    "Add a table for the lines:",
    "",
    "### Step 1",
    "",
    "```sql",
    "CREATE TABLE line (cart INTEGER);",
    "```",
    "",
    "> Tokens: 1.2k sent, 80 received.  ",
    "> Edit the files? (Y)es/(N)o [Yes]: y  ",
    "",
    "#### Add a table for the lines:  ",
    "####   ",
    "#### ### Step 1  ",
    "####   ",
    "#### ```sql  ",
    "#### CREATE TABLE line (cart INTEGER);  ",
    "#### ```  ",
    "",
    "cart.sql is changed.",
    "",
    "> Applied edit to cart.sql  ",
)


def test_an_architects_answer_to_the_editor_is_no_word_of_a_persons(tmp_path):
    reading = read_chat(tmp_path, *ARCHITECT)

    assert [line for line in reading.said if line.startswith("user:")] == [
        "user: Let the cart keep its lines."
    ]
    assert "assistant: cart.sql is changed." in reading.said
    assert reading.reasons == {"left out: tasks that an agent gave to another": 1}


def test_a_prompt_after_an_answer_that_was_cut_within_its_fence_is_a_persons(tmp_path):
    reading = read_chat(
        tmp_path,
        "#### Write the till.  ",
        "",
        "```python",
        "def till():",
        "",
        ">  ",
        ">  ",
        "> ^C again to exit  ",
        "",
        "#### No, in Go.  ",
        "",
        "#### Step 1: the package",
        "> it goes into till.go",
        "Model: one struct.",
        "",
        "> Tokens: 2k sent, 90 received.  ",
    )

    assert reading.said == [
        "user: Write the till.",
        "assistant: ```python\ndef till():",
        "tool: ^C again to exit",
        "user: No, in Go.",
        "assistant: #### Step 1: the package\n> it goes into till.go\nModel: one struct.",
    ]


def test_what_programs_send_is_no_word_of_a_persons(tmp_path):
    reading = read_chat(
        tmp_path,
        "#### /ask Which port has the till?  ",
        "",
        "#### Which port has the till?  ",
        "",
        "<thinking-content-0123456789abcdef0123456789abcdef>",
        "",
        "Perhaps 8080.",
        "",
        "</thinking-content-0123456789abcdef0123456789abcdef>",
        "",
        "It has 8080.",
        "",
        "#### <blank>  ",
        "",
        "#### /help how do I add a file?  ",
        "",
        "#### # Question: how do I add a file?  ",
        "####   ",
        "#### # Relevant docs:  ",
        "####   ",
        "#### Always use /add with a path.  ",
        "",
        "Use `/add`.",
        "",
        "#### # Fix any errors below, if possible.  ",
        "####   ",
        "#### till.py:3: unused import  ",
    )

    assert reading.said == [
        "user: Which port has the till?",
        "assistant: It has 8080.",
        "user: /help how do I add a file?",
        "assistant: Use `/add`.",
        "tool: # Fix any errors below, if possible.\n\ntill.py:3: unused import",
    ]
    assert reading.reasons == {
        "left out: pages of the manual beside a question": 1,
        "left out: prompts that are blank, or told twice": 2,
        "left out: thoughts": 1,
    }


def test_a_note_of_several_lines_ends_where_aider_ends_it(tmp_path):
    reading = read_chat(
        tmp_path,
        "#### /git log -1  ",
        "> commit 1f3ff0f",
        "Author: Ada",
        "",
        "    Move the till  ",
        "",
        "#### Thanks.  ",
    )

    assert reading.said == [
        "system: /git log -1",
        "tool: commit 1f3ff0f\nAuthor: Ada\n\n    Move the till",
        "user: Thanks.",
    ]
