"""Sessions as a host's hooks tell them."""

import json
from datetime import timedelta

from tests.conftest import append_all
from tests.fakes import START
from tilth.core.actor import HOOKS
from tilth.episodes.episode import EpisodeDraft, EpisodeKind, Role

SHOP = "project:work/shop"


class Session:
    """What an agent did in one session, one thing after the other."""

    def __init__(self, brain, name, *, scope=SHOP, day=0, by=HOOKS):
        self._store = brain.parts.store
        self._scope, self._by, self.name = scope, by, f"claude-code:{name}"
        self._at = START + timedelta(days=day)
        self._count = 0

    def says(self, text, role=Role.ASSISTANT):
        return self._tell((text, EpisodeKind.MESSAGE, role))

    def asks(self, text):
        return self.says(text, Role.USER)

    def ran(self, line, output="done", *, failed=False, why=""):
        asked = {"command": line} | ({"description": why} if why else {})
        return self.used(f"Bash: {json.dumps(asked)}", output, failed=failed)

    def edited(self, path):
        return self.used(f"Edit: {json.dumps({'file_path': path})}", "ok")

    def used(self, call, outcome, *, failed=False):
        kind = EpisodeKind.TOOL_FAILURE if failed else EpisodeKind.TOOL_RESULT
        outcomes = [(outcome, kind, Role.TOOL)] if outcome else []
        return self._tell((call, EpisodeKind.TOOL_CALL, Role.ASSISTANT), *outcomes)

    def _tell(self, *said):
        self._count += 1
        about = {"tool_use_id": f"t{self._count}"} if said[0][1] is EpisodeKind.TOOL_CALL else {}
        drafts = [
            EpisodeDraft(
                text=text,
                kind=kind,
                role=role,
                session_id=self.name,
                scope=self._scope,
                occurred_at=self._at + timedelta(minutes=self._count),
                metadata=about,
            )
            for text, kind, role in said
        ]
        append_all(self._store, drafts, by=self._by)
        return self
