import pytest
from hypothesis import given
from hypothesis import strategies as st

from tilth.ledger.chain import GENESIS, Head, Header, commit, is_signed, key_digest, link, sign

HEADER = Header(
    seq=1,
    event_id=bytes(range(16)),
    recorded_at=1_795_176_000_000_007,
    owner="local",
    actor="ana",
    actor_kind="human",
    session_id=None,
    kind="episode_recorded",
    key=None,
)


@pytest.mark.row("I9")
def test_the_hashes_are_those_that_were_written_before():
    commitment = commit(bytes(16), '{"text":"naïve"}')

    assert commitment.hex() == ("4ff86ea9f8f5463c8cee8467df00e15560a004c432f98df63994e6b3343ac028")
    assert link(GENESIS, HEADER, commitment).hex() == (
        "919d0ab63079c6152b1fd908d8c33b5537ace3241dd411ba0c7127a64ceaf1af"
    )
    keyed = HEADER._replace(session_id="Gespräch", key=bytes(16))
    assert link(GENESIS, keyed, commitment).hex() == (
        "d4cc45883bdc588a75aee0f531c9a8e32321ce6c8844482af4ab38097f929ebb"
    )


@pytest.mark.row("I3")
@pytest.mark.parametrize(
    "change",
    [
        {"seq": 2},
        {"event_id": bytes(16)},
        {"recorded_at": 0},
        {"owner": "loca"},
        {"actor": "an"},
        {"actor_kind": "agent"},
        {"session_id": ""},
        {"session_id": "-"},
        {"kind": "x"},
        {"key": b""},
        {"key": bytes(16)},
    ],
    ids=str,
)
def test_a_change_of_any_field_breaks_the_chain(change):
    commitment = commit(bytes(16), "{}")

    assert link(GENESIS, HEADER._replace(**change), commitment) != link(GENESIS, HEADER, commitment)


@pytest.mark.row("I9")
@given(st.text(), st.text(), st.text(), st.text())
def test_what_is_written_beside_each_other_is_never_taken_for_one(owner, actor, other, another):
    def chain(owner, actor):
        return link(GENESIS, HEADER._replace(owner=owner, actor=actor), bytes(32))

    assert (chain(owner, actor) == chain(other, another)) == ((owner, actor) == (other, another))


def test_a_commitment_needs_its_salt():
    assert commit(bytes(16), "{}") != commit(bytes(15) + b"x", "{}")


@pytest.mark.row("I6")
def test_a_key_belongs_to_its_owner():
    assert key_digest("ana", "k") != key_digest("bob", "k")
    assert key_digest("a", "bc") != key_digest("ab", "c")


@pytest.mark.row("I5")
def test_a_head_is_signed_for_one_store_by_one_installation():
    head = Head(7, bytes(32))
    signature = sign(head, key=b"k", store_id="s")

    assert is_signed(head, signature, key=b"k", store_id="s")
    assert not is_signed(Head(8, bytes(32)), signature, key=b"k", store_id="s")
    assert not is_signed(Head(7, bytes(31) + b"x"), signature, key=b"k", store_id="s")
    assert not is_signed(head, signature, key=b"x", store_id="s")
    assert not is_signed(head, signature, key=b"k", store_id="x")
