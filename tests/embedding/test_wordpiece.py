import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.embedding import bundled
from tilth.embedding.wordpiece import MAX_PIECES, WordPiece

ANY_TEXT = st.text(st.characters(exclude_categories=()))  # lone surrogates included


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Hello, world!", [7592, 1010, 2088, 999]),
        ("unaffable", [14477, 20961, 3468]),
        ("café CAFÉ cafe\u0301", [7668, 7668, 7668]),
        ("tabs\tand\nlines", [21628, 2015, 1998, 3210]),
        ("\u2019quoted\u2019", [1521, 9339, 1521]),
        ("x\x00y\u200bz\ufffd", [1060, 2100, 2480]),
        ("a猫b", [1037, 100, 1038]),
        ("ﬁsh İstanbul", [1984, 4095, 9960]),
        ("", []),
        (" \n\t", []),
        ("\ud800", []),
    ],
)
def test_a_text_becomes_the_pieces_that_bert_knows(text: str, expected: list[int]):
    assert bundled.tokenizer().pieces(text) == expected


def test_a_special_token_in_a_text_is_text():
    assert bundled.tokenizer().pieces("[MASK]") == [1031, 7308, 1033]


def test_a_word_of_more_than_a_hundred_characters_is_unknown():
    tokenizer = bundled.tokenizer()

    assert tokenizer.pieces("a" * 101) == [100]
    assert 100 not in tokenizer.pieces("a" * 100)


def test_a_word_with_a_part_that_is_not_in_the_vocabulary_is_unknown_as_a_whole():
    tokenizer = WordPiece(["[UNK]", "[CLS]", "[SEP]", "know", "##n"])

    assert tokenizer.pieces("known knowx") == [3, 4, 0]


def test_a_huge_text_is_read_only_as_far_as_it_counts():
    tokenizer = bundled.tokenizer()

    assert len(tokenizer.encode("word " * 10_000_000)) == MAX_PIECES
    assert tokenizer.pieces("\u200b" * 10_000_000 + "word") == []


def test_more_characters_than_are_remembered_are_still_spelt():
    tokenizer = WordPiece(["[UNK]", "[CLS]", "[SEP]", "a"])
    many = "".join(map(chr, range(0x10000, 0x10000 + 30_000)))

    for start in range(0, len(many), 1_000):
        tokenizer.pieces(many[start : start + 1_000])

    assert tokenizer.pieces(many[-1] + " A") == [0, 3]


@given(ANY_TEXT, st.integers(min_value=3, max_value=MAX_PIECES))
def test_any_text_gives_pieces_of_the_vocabulary_within_the_limit(text: str, limit: int):
    pieces = bundled.tokenizer().encode(text, limit=limit)

    assert 2 <= len(pieces) <= limit
    assert pieces[0] == 101
    assert pieces[-1] == 102
    assert all(0 < piece < 30_522 for piece in pieces)
    assert 101 not in pieces[1:]
    assert 102 not in pieces[:-1]


@given(ANY_TEXT)
def test_case_does_not_matter_in_ascii(text: str):
    ascii_text = text.encode("ascii", "ignore").decode()
    tokenizer = bundled.tokenizer()

    assert tokenizer.pieces(ascii_text.upper()) == tokenizer.pieces(ascii_text.lower())


@given(st.text("aehinorstg", min_size=1, max_size=40))
def test_a_word_becomes_the_longest_pieces_from_the_left(word: str):
    tokenizer = bundled.tokenizer()
    vocabulary = (bundled.FOLDER / bundled.VOCABULARY).read_text("utf-8").split("\n")
    numbers = {piece: number for number, piece in enumerate(vocabulary)}
    longest, left = [], word
    while left.removeprefix("##"):
        piece = next(left[:end] for end in range(len(left), 0, -1) if left[:end] in numbers)
        longest.append(numbers[piece])
        left = f"##{left[len(piece) :]}"

    assert tokenizer.pieces(word) == longest


def test_each_word_of_the_vocabulary_is_one_piece():
    tokenizer = bundled.tokenizer()

    assert all(len(tokenizer.pieces(word)) == 1 for word in tokenizer.whole(""))
