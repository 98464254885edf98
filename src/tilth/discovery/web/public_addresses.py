"""
Which URLs and which addresses of machines may be read: those of the public internet alone (T6).

A URL says where to go, and its host's name may mean any machine. So both are judged: the URL
here by its form, and every address that its host resolves to, at the moment of connecting.
"""

import re
from collections.abc import Collection
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import httpx2

from tilth.discovery.model import RefusedError

PORTS = {"http": 80, "https": 443}
URL_CHARS_MAX = 2_000
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|[0-9a-f:.]*:[0-9a-f:.]*", re.IGNORECASE)
# What is called global by one version of Python or another, and reaches no public machine:
# special assignments (one is a metadata service), the anycast of 6to4, what is reserved.
_NOT_PUBLIC = [
    ip_network(name)
    for name in (
        "0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "198.18.0.0/15",
        "240.0.0.0/4", "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    )
]  # fmt: skip
_UNICAST = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """
    Say whether *address*, as a resolver gives it, is a machine of the public internet.

    An IPv4 address within an IPv6 one is judged by itself. An address with a zone, or one
    that is none, is not public.
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address):
        if parsed.scope_id is not None:
            return False
        if within := _embedded(parsed):
            return is_public(str(within))
        if parsed not in _UNICAST:
            return False
    is_special = any(parsed in net for net in _NOT_PUBLIC if net.version == parsed.version)
    return parsed.is_global and not parsed.is_multicast and not is_special


def _embedded(address: IPv6Address) -> IPv4Address | None:
    if address in _NAT64:
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address.ipv4_mapped


def checked_url(address: str, ports: Collection[int] = ()) -> httpx2.URL:
    """
    Return the URL to ask.

    Args:
        address: As somebody or some page wrote it.
        ports: Which are allowed besides 80 for http and 443 for https.

    Raises:
        RefusedError: it is no http:// or https:// URL of a named host, has a name or a
            password in it, or names another port.
    """
    if len(address) > URL_CHARS_MAX or "\\" in address or not address.isprintable():
        raise RefusedError(f"no URL that is read: {address[:60]!r}")
    try:
        url = httpx2.URL(address)
        host = url.raw_host.decode("ascii")
    except (httpx2.InvalidURL, ValueError) as error:
        raise RefusedError(f"no URL: {address[:60]!r}") from error
    if url.scheme not in PORTS:
        raise RefusedError(f"only http:// and https:// are read, not {address[:60]!r}")
    if not _HOST.fullmatch(host):
        raise RefusedError(f"{host[:60]!r} is no name of a host")
    if url.userinfo:
        raise RefusedError(f"a URL with a name or a password in it is not read: {host}")
    port = url.port or PORTS[url.scheme]
    if port not in {PORTS[url.scheme], *ports}:
        raise RefusedError(
            f"port {port} of {host} is not read",
            hint="a person allows it: tilth settings set web_ports",
        )
    return url
