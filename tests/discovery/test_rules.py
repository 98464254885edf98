"""Which documents are one source."""

from random import Random  # noqa: TID251 - seeded

import pytest

from tilth.discovery.rules import cluster_of, independent_count, is_copy

WORDS = [f"word{n}" for n in range(400)]


def text(seed, count=300):
    return " ".join(Random(seed).choices(WORDS, k=count))


def test_a_text_is_a_copy_of_itself_whatever_its_case_and_spacing():
    assert is_copy(cluster_of("The log  is\ncopied back."), cluster_of("the LOG is copied back"))


def test_a_page_that_was_posted_elsewhere_with_other_lines_around_it_is_a_copy():
    posted = f"{text(2, 30)} {text(1)} {text(3, 30)}"

    assert is_copy(cluster_of(text(1)), cluster_of(posted))


def test_two_texts_of_the_same_words_are_no_copies():
    assert not is_copy(cluster_of(text(1)), cluster_of(text(2)))


def test_a_page_that_was_rephrased_is_a_copy_and_one_on_the_same_matter_is_not():
    terms = text(1, 120).split()
    rephrased = " ".join(
        reversed([f"other{n}" if n % 5 == 0 else one for n, one in enumerate(terms)])
    )
    alike = " ".join([*terms[:40], *text(9, 120).upper().split()[:80]])

    assert is_copy(cluster_of(" ".join(terms)), cluster_of(rephrased))
    assert not is_copy(cluster_of(" ".join(terms)), cluster_of(alike))


def test_texts_without_words_are_copies_of_nothing():
    assert not is_copy(cluster_of("..."), cluster_of("..."))


@pytest.mark.row("GA-016")
def test_one_source_under_fifty_domains_counts_once():
    copies = [(f"site{n}.org", cluster_of(f"{text(1)} seen at site{n}")) for n in range(50)]

    assert independent_count(copies) == 1


def test_one_domain_counts_once_whatever_it_says():
    assert independent_count([("a.org", cluster_of(text(n))) for n in range(5)]) == 1


def test_other_domains_with_other_words_count_each():
    assert independent_count([(f"{n}.org", cluster_of(text(n))) for n in range(5)]) == 5


def test_what_joins_two_groups_makes_them_one():
    one, other = cluster_of(text(1)), cluster_of(text(2))

    assert independent_count([("a.org", one), ("b.org", other)]) == 2
    assert independent_count([("a.org", one), ("b.org", other), ("b.org", one)]) == 1
