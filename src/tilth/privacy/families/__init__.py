"""
All families of secrets, the most specific first.

To add one: a row in the module of its kind, a row in docs/reference/redaction.md, and a positive in
bench/data/secrets.
"""

from tilth.privacy.families.cloud import CLOUD_FAMILIES
from tilth.privacy.families.code_hosts import CODE_HOST_FAMILIES
from tilth.privacy.families.commands import COMMAND_FAMILIES
from tilth.privacy.families.generic import GENERIC_FAMILIES
from tilth.privacy.families.model_providers import MODEL_FAMILIES
from tilth.privacy.families.sentences import SENTENCE_FAMILIES
from tilth.privacy.families.services import SERVICE_FAMILIES

# Where two families claim one value, the earlier names it.
FAMILIES = (
    *MODEL_FAMILIES,
    *CODE_HOST_FAMILIES,
    *CLOUD_FAMILIES,
    *SERVICE_FAMILIES,
    *GENERIC_FAMILIES,
    *COMMAND_FAMILIES,
    *SENTENCE_FAMILIES,
)
