"""Secrets are replaced where they stand, whatever they are wrapped in."""

import base64
import re
from collections import defaultdict
from itertools import permutations
from pathlib import Path
from types import MappingProxyType

import pytest

from bench.secrets_corpus import COMMON, DISGUISES, disguised, negatives, positives
from tilth.privacy.families import FAMILIES
from tilth.privacy.finding import UNRESOLVED
from tilth.privacy.redaction import TOO_DEEP, redact, scrub, scrub_object
from tilth.privacy.scanner import FAMILY_NAMES, find_secrets

TOKEN = "ghp_" + "a1B2c3" * 6
GONE = "[secret:github_token]"
LONG_TOKENS = ("sk-ant-api03-" + "aB3dE6gH9" * 10, "xoxb-17653285-" + "qW4rT7yU1" * 4)
GONE_BY = dict(
    zip(
        (TOKEN, *LONG_TOKENS), (GONE, "[secret:anthropic_key]", "[secret:slack_token]"), strict=True
    )
)
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "redaction.md"

by_family = {positive.family: positive for positive in positives()}


@pytest.mark.row("EM-041")
@pytest.mark.parametrize("positive", by_family.values(), ids=by_family)
def test_a_secret_of_each_family_is_replaced(positive):
    scrubbed = scrub(positive.text)
    assert positive.secret not in scrubbed.text
    assert f"[secret:{scrubbed.findings[0].family}]" in scrubbed.text


@pytest.mark.row("EM-041")
@pytest.mark.parametrize(
    ("text", "family"),
    [
        ("sk-" + "a" * 20, "openai_key"),
        ("AKIA" + "Z" * 16, "aws_access_key"),
        ("ghp_" + "a" * 36, "github_token"),
        ("gho_" + "a" * 36, "github_token"),
        ("ghu_" + "a" * 36, "github_token"),
        ("ghs_" + "a" * 36, "github_token"),
        ("xoxb-" + "1234567890-abcdef", "slack_token"),
        ("api_key=" + "abcd1234efgh5678", "assignment"),
        (
            "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
            "private_key",
        ),
        ("eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiIxIn0.c2lnbmF0dXJl", "json_web_token"),
        ("postgres://app:" + "s3cret" + "@db/prod", "connection_string"),
    ],
)
def test_the_named_patterns_are_all_known(text, family):
    assert [finding.family for finding in redact(text).findings] == [family]


@pytest.mark.row("EM-041")
def test_what_is_left_names_the_family_and_not_the_value():
    scrubbed = scrub(f"push with {TOKEN}, then go")
    assert scrubbed.text == f"push with {GONE}, then go"
    assert scrubbed.findings == (("github_token", 10, 50),)


@pytest.mark.row("EM-041", "I32")
@pytest.mark.parametrize("form", DISGUISES)
def test_a_disguise_does_not_help(form):
    for positive in positives():
        if positive.family in COMMON:
            assert positive.secret not in redact(disguised(positive, form)).text
            assert redact(disguised(positive, form)).findings, positive.text


def test_nothing_is_found_where_there_is_no_secret():
    assert [text for text in negatives() if redact(text).findings] == []


@pytest.mark.row("KB-125")
def test_an_opaque_token_after_a_hint_is_a_secret_and_a_digest_is_not():
    opaque = "q7" + "Rt2Zp9Lk4Wm8Xc3Vb6"
    assert redact(f"use this token to log in: {opaque}").findings
    assert not redact(f"use this idea to log in: {opaque}").findings
    assert not redact("the token commit is da39a3ee5e6b4b0d3255bfef95601890afd80709").findings
    assert not redact("the secret of epi_01J8ZQ4X5RKMD3N7T2V9W6YABC").findings


def test_the_most_telling_family_names_what_several_claim():
    assert redact(f"password={TOKEN}").text == f"password={GONE}"
    assert redact(f"https://x-access-token:{TOKEN}@github.com").text.count("[secret:") == 1


def test_what_is_around_a_secret_stays():
    assert redact(f"früher: {TOKEN}\u200b — später").text == f"früher: {GONE}\u200b — später"


def test_only_the_encoded_token_goes_from_encoded_text():
    encoded = base64.b64encode(TOKEN.encode()).decode()
    assert redact(f"data: {encoded}, more").text == f"data: {GONE}, more"
    twice = base64.b64encode(encoded.encode()).decode()
    assert redact(f"data: {twice}, more").text == f"data: {GONE}, more"


def test_base64_is_read_when_it_is_wrapped_or_begins_late():
    lines = base64.encodebytes(b"x" * 50 + TOKEN.encode() + b"y" * 50).decode()
    assert redact(f"cat <<EOF\n{lines}EOF").findings
    assert redact("path/" + base64.b64encode(TOKEN.encode()).decode()).findings


def test_escapes_within_escapes_are_read_two_deep():
    once = "".join(f"%{ord(character):02x}" for character in TOKEN)
    assert redact(once.replace("%", "%25")).text == GONE
    assert redact(f'{{\\"token\\":\\"{TOKEN}\\"}}').text == f'{{\\"token\\":\\"{GONE}\\"}}'


@pytest.mark.parametrize(
    "between",
    [
        *["\\\n", "\\\r\n    ", '" + "', '"+"', '" +\n    "', '"\n    + "', "' + '"],
        *['" "', '"\n    "', "' . '", "' .\n    '"],
    ],
)
def test_a_token_that_is_cut_in_two_by_a_program_text_is_one(between):
    quote = "'" if "'" in between else '"'
    scrubbed = redact(f"key = {quote}{TOKEN[:15]}{between}{TOKEN[15:]}{quote}")
    assert scrubbed.text == f"key = {quote}{GONE}{quote}"


@pytest.mark.parametrize(
    "told",
    [
        "пароль: {}",
        "Пароль от сервера — {}",
        "密码是{}",
        "パスワードは {} です",
        "비밀번호는 {} 입니다",
        "Kennwort für das NAS lautet {}",
        "le mot de passe est {}",
        "La password è {}",
        "Hasło to {}",
    ],
)
def test_a_password_is_found_in_the_language_that_it_is_told_in(told):
    before, after = told.split("{}")
    left = redact(told.format("Hunter2abc")).text
    assert re.fullmatch(re.escape(before) + r"\[secret:\w+\]" + re.escape(after), left)


def test_words_about_passwords_are_none():
    for text in (
        "Пароль должен быть длиннее 8 символов",
        "密码长度至少 12 位",
        "La contraseña es larga",
    ):
        assert redact(text).text == text


@pytest.mark.parametrize("end", ["\n", "\n    ", "\r\n\t"])
@pytest.mark.parametrize("token", [TOKEN, *LONG_TOKENS])
def test_a_token_that_a_terminal_wraps_is_one(token, end):
    cuts = (len(token) // 3, 2 * len(token) // 3)
    wrapped = end.join((token[: cuts[0]], token[cuts[0] : cuts[1]], token[cuts[1] :]))
    assert redact(f"it is {wrapped} here").text == f"it is {GONE_BY[token]} here"


def test_the_words_after_a_token_at_the_end_of_a_line_stay():
    for after in ("README.md says so", "3f2a9c1d77 fix it", "release-2026.11 is out", "Then2 go"):
        assert redact(f"it is {TOKEN}\n{after}").text == f"it is {GONE}\n{after}"


@pytest.mark.parametrize("token", [TOKEN, *LONG_TOKENS])
@pytest.mark.parametrize("after", ["export B=1", "make test passes", "next"])
def test_the_words_after_a_token_that_a_terminal_wraps_stay(token, after):
    cut = 2 * len(token) // 3
    wrapped = f"it is {token[:cut]}\n{token[cut:]}"
    assert redact(f"{wrapped}\n{after}").text == f"it is {GONE_BY[token]}\n{after}"


def test_no_end_of_a_line_makes_a_secret_of_two_words():
    words = ["sk-learn", "kubernetes-2026-11-20", "preprocessing_pipeline2", "ghp_", "README2Html"]
    pages = ["\n".join(negatives()), "\n  ".join(reversed(negatives()))]
    pages += ["\n  ".join(two) for two in permutations(words, 2)]
    assert [page for page in pages if redact(page).findings] == []


def test_an_escape_before_a_token_is_no_part_of_it():
    assert redact(f"line\\n{TOKEN}\\nline").text == f"line\\n{GONE}\\nline"


def test_a_character_that_no_encoding_takes_does_no_harm():
    assert redact(f"\ud800{TOKEN}\udfff").text == f"\ud800{GONE}\udfff"


def test_a_placeholder_is_no_secret_but_hides_none_either():
    assert redact(f"password={GONE}").findings == ()
    assert redact(f"[secret:{TOKEN}]").text == f"[secret:{GONE}]"


def test_a_secret_that_comes_to_light_when_another_goes_is_replaced_too():
    # Each token begins where no word does, until the one before it is gone.
    chain = ("EZAK" + "a1" * 27) * 3
    assert redact(chain).text == "[secret:easypost_key]" * 3


def test_a_text_that_does_not_settle_is_withheld():
    chain = ("EZAK" + "a1" * 27) * 30
    assert redact(f"before {chain} after").text == f"[secret:{UNRESOLVED}]"
    assert find_secrets(f"[secret:{UNRESOLVED}]") == []


def test_private_spans_go_before_secrets_are_looked_for():
    scrubbed = scrub(f"a <private>{TOKEN}</private> b {TOKEN[:9]}</private>{TOKEN[9:]}")
    assert scrubbed.text == f"a [private] b {GONE}"
    assert scrubbed.private_spans == 1
    assert len(scrubbed.findings) == 1


def test_a_value_is_scrubbed_at_every_level_and_in_its_keys():
    value = {"a": [{"b": f"x {TOKEN}"}, 1, None, True], TOKEN: "<private>y</private>"}
    assert scrub_object(value) == {
        "a": [{"b": f"x {GONE}"}, 1, None, True],
        GONE: "[private]",
    }


def test_metadata_is_scrubbed_as_any_value():
    metadata = MappingProxyType({"a": ("x", TOKEN), "password": "hunter2"})
    assert scrub_object(metadata) == {"a": ["x", GONE], "password": "[secret:assignment]"}


def test_two_keys_with_secrets_stay_two():
    assert list(scrub_object({TOKEN: 1, TOKEN + "X": 2})) == [GONE, f"{GONE} 2"]


def test_a_value_under_the_name_of_a_secret_goes_whatever_it_is():
    value = {"password": "hunter2", "client_secret": ["a-b-c"], "secret": 12345678}
    assert scrub_object(value) == {
        "password": "[secret:assignment]",
        "client_secret": ["[secret:assignment]"],
        "secret": "[secret:assignment]",
    }
    harmless = {"token": "comma", "max_tokens": 4096, "password": None, "secret": True}
    assert scrub_object(harmless) == harmless
    assert scrub_object({"password": "${DB_PASSWORD}"}) == {"password": "${DB_PASSWORD}"}


def test_a_name_that_only_contains_the_name_of_a_secret_is_none():
    harmless = {
        "passed": "12 of 12", "compass": "north-west", "password_length": 12, "secretary": "Ann B",
        "passenger": "Bob", "tokens": 4096, "private": "yes or no", "token_count": 18234,
    }  # fmt: skip
    assert scrub_object(harmless) == harmless
    secret = {"dbPassword": "x y", "api-key": "abcd1234efgh5678", "client_secret_prod": "q"}
    assert set(scrub_object(secret).values()) == {"[secret:assignment]"}


def test_a_value_nested_too_deeply_is_left_out():
    value = current = {}
    for _ in range(500):
        current["a"] = {}
        current = current["a"]
    current["a"] = TOKEN
    assert TOO_DEEP in str(scrub_object(value))
    assert TOKEN not in str(scrub_object(value))


def test_there_are_as_many_families_as_promised():
    assert len({family.name for family in FAMILIES}) >= 90


def test_every_family_is_in_the_corpus():
    assert set(by_family) == set(FAMILY_NAMES) - {UNRESOLVED}


def test_every_family_is_on_the_page_with_what_it_is_looked_for_by():
    hints = defaultdict(dict)
    for family in FAMILIES:
        hints[family.name][f"`{family.hint}`".replace("|", "\\|")] = True
    page = PAGE.read_text(encoding="utf-8").splitlines()
    rows = [f"| `{name}` | {', '.join(shown)} |" for name, shown in hints.items()]
    assert [row for row in rows if row not in page] == []
    assert len([line for line in page if line.startswith("| `") and "[" not in line[:4]]) == len(
        rows
    )


@pytest.mark.parametrize(
    "told",
    ["The database password is {}.", "My password: {}", "passphrase is `{}`", "db_password: {}"],
)
@pytest.mark.parametrize("phrase", ["correct-horse-battery-staple", "hunter2-correct-horse"])
def test_a_password_of_joined_words_is_found(told, phrase):
    assert phrase not in redact(told.format(phrase)).text


@pytest.mark.parametrize(
    "text",
    [
        "password: must-be-changed-on-login",
        "The password is read-from-environment here.",
        "password: min-length-eight-characters",
        "The token is page-cursor-after-sorting.",
        "secret: orders-database-credentials-blue",
    ],
)
def test_joined_words_that_say_something_of_a_password_stay(text):
    assert redact(text).text == text
