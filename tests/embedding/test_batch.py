from hypothesis import given
from hypothesis import strategies as st

from tilth.embedding.batch import batches, padded


@given(st.lists(st.integers(2, 300), max_size=60), st.integers(1, 600))
def test_batches_hold_every_text_that_says_something_once_and_few_tokens(
    lengths: list[int], tokens_max: int
):
    found = list(batches([[1] * length for length in lengths], tokens_max))

    places = sorted(place for batch in found for place in batch)
    assert places == [place for place, length in enumerate(lengths) if length > 2]
    for batch in found:
        assert len(batch) == 1 or len(batch) * max(lengths[i] for i in batch) <= tokens_max


def test_short_texts_are_padded_and_the_mask_tells_where_the_pieces_are():
    ids, mask = padded([[5, 6, 7], [8, 0]])

    assert ids.tolist() == [[5, 6, 7], [8, 0, 0]]
    assert mask.tolist() == [[True, True, True], [True, True, False]]
