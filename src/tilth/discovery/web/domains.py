"""
Who a page is by: the registered domain of its host.

What may be registered by anybody is told by the Public Suffix List that comes with
publicsuffixlist; nothing is downloaded. So `a.example.co.uk` and `example.co.uk` are one domain,
and two users of github.io are two.
"""

from functools import cache
from ipaddress import ip_address

from publicsuffixlist import PublicSuffixList


def registered_domain(host: str) -> str:
    """Return the registered domain of *host*, in ASCII; of an address of a machine, itself."""
    host = host.rstrip(".").lower()
    try:
        return str(ip_address(host))
    except ValueError:
        found: str | None = _suffixes().privatesuffix(host)
        return found or host


@cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
