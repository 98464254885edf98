"""
What anybody recorded runs in no browser: 243 payloads through every field, on every page.

`python -m prove.payloads`. The policy of the pages is set aside in Chromium, so that the escaping
alone holds. Where the browser is not there, it says so and proves nothing.
"""

import shutil
import tempfile
from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import tilth
from prove.ground import conclude
from prove.pages import sign_in, watch
from tests.interfaces.http.served import serving
from tests.interfaces.web.payloads import CANARY, PAYLOADS

# By its name: tests are not typed.
_BATCH = 61
_WRITTEN: Any = import_module("tests.interfaces.web.test_payloads")
# What a payload would have become: an element with the canary for an attribute.
_ESCAPED = f"document.querySelectorAll('[{CANARY}]').length"


def run() -> tuple[dict[str, object], list[str]]:
    """Open every page with every payload; return what was counted, and what ran."""
    chromium = shutil.which("chromium")
    if chromium is None or find_spec("playwright") is None:
        return {"programme": "payloads", "skipped": "no Chromium, or no Playwright"}, []
    sync_playwright = import_module("playwright.sync_api").sync_playwright
    failures: list[str] = []
    opened = 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for start in range(0, len(PAYLOADS), _BATCH):
            opened += _opened(browser, PAYLOADS[start : start + _BATCH], failures)
            print(f"{start + _BATCH} payloads: {opened} pages, {failures[-3:]}", flush=True)
        browser.close()
    return {"programme": "payloads", "payloads": len(PAYLOADS), "pages": opened}, failures


def _opened(browser: Any, batch: Sequence[str], failures: list[str]) -> int:  # noqa: ANN401
    opened = 0
    with (
        tempfile.TemporaryDirectory() as folder,
        tilth.connect(Path(folder) / "tilth.db", create=True) as agent,
        serving(agent, Path(folder)) as served,
    ):
        ids = _WRITTEN.filled(served, batch)
        page = browser.new_context(bypass_csp=True).new_page()
        watch(page, served.url, failures)

        def opens(dialog: Any) -> None:  # noqa: ANN401 - Playwright's
            failures.append(f"ran: {page.url}")
            dialog.dismiss()

        page.on("dialog", opens)
        sign_in(page, served)
        for address in _WRITTEN.addresses(ids, batch[0]):
            page.goto(f"{served.url}{address}")
            if page.evaluate(_ESCAPED):
                failures.append(f"became an element: {address}")
            opened += 1
        page.context.close()
    return opened


if __name__ == "__main__":
    conclude(*run())
