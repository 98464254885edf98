"""
Steps of a day in the pages (`prove.browsing`): who has no mouse, sees little, or runs no script.

What axe cannot see: the order and the ring of the focus, a page at twice its size, one that shall
not move, and a decision by plain forms.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from prove.browsing import Day

_READ = ("/", "/inbox", "/sessions", "/settings", "/health", "/pages?lint=on&manifest=on", "/facts")
_TABBED = ("/inbox", "/settings", "/facts")
_TABS = 60
# Twice the size leaves half the room; what a phone of 320 has is four times.
_ROOMS = ((720, 450), (320, 600))
_FOCUS = """() => {
  const one = document.activeElement, style = getComputedStyle(one);
  const box = one.getBoundingClientRect();
  const is_ringed = style.outlineStyle !== "none" || style.boxShadow !== "none"
    || one.matches("input[type=date]");
  return [one.tagName, is_ringed && box.width * box.height > 0 && !one.closest("[hidden]"),
    one.className, box.x, box.y, Boolean(one.closest("main"))];
}"""
_MOVES = """[...document.querySelectorAll("*")].map((one) => getComputedStyle(one)).filter((one) =>
  parseFloat(one.transitionDuration) || parseFloat(one.animationDuration)).length"""
_WIDER = "document.documentElement.scrollWidth - innerWidth"


def moving(day: "Day") -> None:
    """Go down and up the inbox by j and k, open a card by Enter, and go on from there by j."""
    day.go("/inbox?kind=supersession")
    first, second = _here(day), ""
    day.page.keyboard.press("j")
    second = _here(day)
    day.holds("j goes nowhere", first != second)
    day.page.keyboard.press("k")
    day.holds("k does not go back", _here(day) == first)
    day.page.keyboard.press("j")
    day.press("Enter")
    day.holds("Enter opens another card", day.page.url.endswith(second))
    day.press("k")
    day.holds("k of an open card leads elsewhere", day.page.url.endswith(first))
    day.press("j")
    day.holds("j of an open card leads elsewhere", day.page.url.endswith(second))


def _here(day: "Day") -> str:
    """Return the address of the card on which one stands."""
    return str(day.page.locator("[data-card].here [data-open]").get_attribute("href"))


def tabbing(day: "Day") -> None:
    """Tab through pages: the first stop skips to the page, and each stop is seen, in its order."""
    for path in _TABBED:
        day.go(path)
        stops = [_tabbed(day) for _ in range(_TABS)]
        stops = stops[: next((at for at, one in enumerate(stops) if one[0] == "BODY"), _TABS)]
        unseen = [one[:3] for one in stops if not one[1]]
        day.holds(f"{path}: {unseen[:3]} have no ring", not unseen)
        day.holds(f"{path}: nothing skips to the page", "skip" in stops[0][2])
        inside = [one[5] for one in stops]
        day.holds(f"{path}: the page is left and entered again", inside == sorted(inside))
        day.page.locator("a.skip").focus()
        day.page.keyboard.press("Enter")
        day.page.keyboard.press("Tab")
        day.holds(f"{path}: to skip leads not into the page", day.page.evaluate(_FOCUS)[5])


def _tabbed(day: "Day") -> list[Any]:
    day.page.keyboard.press("Tab")
    return list(day.page.evaluate(_FOCUS))


def zooming(day: "Day") -> None:
    """Read pages at twice and four times their size: nothing is cut off at the side."""
    for width, height in _ROOMS:
        with _another(day, viewport={"width": width, "height": height}) as page:
            for path in _READ:
                page.goto(f"{day.served.url}{path}")
                wider = page.evaluate(_WIDER)
                day.holds(f"{path} is wider by {wider} than {width}", wider <= 0)


def resting(day: "Day") -> None:
    """Ask for reduced motion: nothing moves."""
    with _another(day, reduced_motion="reduce") as page:
        for path in _READ:
            page.goto(f"{day.served.url}{path}")
            moved = page.evaluate(_MOVES)
            day.holds(f"{moved} things move on {path}", not moved)


def scriptless(day: "Day") -> None:
    """Read, decide, undo and ask without JavaScript; what only a script answers is not there."""
    review = day.person.review
    with _another(day, java_script_enabled=False) as page:
        page.goto(f"{day.served.url}/inbox?kind=supersession")
        shown = page.locator(".pick:visible, [data-pick-group]:visible, kbd:visible").count()
        day.holds(f"{shown} things are shown that only a script answers", not shown)
        page.locator("[data-card] summary", has_text="The words it rests on").first.click()
        day.holds("no words are shown", page.locator("[data-card] blockquote").first.is_visible())
        before = review.list(limit=1).waiting
        for press, left in (("[data-card] >> text=Reject", before - 1), (".flash button", before)):
            with page.expect_navigation():
                page.locator(press).first.click()
            waiting = review.list(limit=1).waiting
            day.holds(f"{press}: {waiting} wait, not {left}", waiting == left)
        page.locator("#q").fill("Where does the gateway listen?")
        with page.expect_navigation():
            page.keyboard.press("Enter")
        day.holds("nothing is answered without a script", page.locator(".hit").count())


@contextmanager
def _another(day: "Day", **how: object) -> Iterator[Any]:
    """Yield a page of another browser in which the same person is signed in."""
    state = day.page.context.storage_state()
    context = day.page.context.browser.new_context(storage_state=state, **how)
    yield context.new_page()
    context.close()


STEPS = (moving, tabbing, zooming, resting, scriptless)
