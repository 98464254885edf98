"""Fetching: the table of threats T6 of what leads elsewhere, and every limit."""

import gzip
import ssl
import threading
import tracemalloc
import zlib
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import httpcore2
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.discovery.internet import PUBLIC, Answers, a_private_machine
from tilth.core.errors import NotFoundError
from tilth.discovery.model import RefusedError, UnreachableError
from tilth.discovery.web.fetch import BYTES_MAX, REDIRECTS_MAX, Fetcher
from tilth.discovery.web.network import Network, PublicBackend
from tilth.discovery.web.public_addresses import checked_url, is_public
from tilth.discovery.web.readable_text import TYPES

URL = "http://example.org/a"
GZIPPED = {"Content-Type": "text/plain", "Content-Encoding": "gzip"}

# Every way to name a machine that is not public: {port} is where one listens.
PRIVATE = """\
http://127.0.0.1:{port}/ http://127.1:{port}/ http://127.0.1:{port}/ http://127.255.255.254:{port}/
http://2130706433:{port}/ http://0x7f000001:{port}/ http://0x7f.1:{port}/ http://0177.0.0.1:{port}/
http://017700000001:{port}/ http://0:{port}/ http://0.0.0.0:{port}/ http://localhost:{port}/
http://LOCALHOST.:{port}/ http://[::1]:{port}/ http://[::]:{port}/ http://[0:0:0:0:0:0:0:1]:{port}/
http://[::ffff:127.0.0.1]:{port}/ http://[::ffff:7f00:1]:{port}/ http://[::127.0.0.1]:{port}/
http://[64:ff9b::7f00:1]:{port}/ http://[64:ff9b:1::7f00:1]:{port}/ http://[2002:7f00:1::]:{port}/
http://[2001:0:7f00:1::]:{port}/ http://[fe80::1%25lo]:{port}/ http://[fe80::1]:{port}/
http://[fc00::1]:{port}/ http://[fec0::1]:{port}/ http://[ff02::1]:{port}/ http://[2001:db8::1]:{port}/
http://[3fff::1]:{port}/ http://10.0.0.1:{port}/ http://172.16.0.1:{port}/ http://192.168.0.1:{port}/
http://100.64.0.1:{port}/ http://169.254.169.254/latest/meta-data/ http://169.254.170.2:{port}/
http://192.0.0.192/ http://198.18.0.1:{port}/ http://224.0.0.1:{port}/ http://239.255.255.250:{port}/
http://240.0.0.1:{port}/ http://255.255.255.255:{port}/ http://192.0.2.1:{port}/
http://192.88.99.1:{port}/ http://[fd00:ec2::254]/ http://①②⑦.⓪.⓪.①:{port}/ http://127。0。0。1:{port}/
http://user@127.0.0.1:{port}/ http://example.org\\@127.0.0.1:{port}/ http://example.org%2f@127.0.0.1:{port}/
http://127.0.0.1%00.example.org:{port}/ http://ex%61mple.org:{port}/
"""
ELSEWHERE = """\
file:///etc/passwd gopher://127.0.0.1/ ftp://example.org/ data:text/html,hello javascript:alert(1)
http:// http:///a //example.org/ example.org http://example.org:22/ https://example.org:80/
http://example.org:6379/ http://user:secret@example.org/ http://[::1 http://ex%20ample.org/
http://example.org:99999/ dict://127.0.0.1:11211/ unix:///var/run/docker.sock tilth:episode/x
"""


@pytest.mark.row("I39")
@pytest.mark.parametrize("url", PRIVATE.split())
def test_no_way_to_name_a_private_machine_leads_to_it(url):
    with a_private_machine() as (port, visits):
        fetcher = Fetcher(ports={port}, timeout_s=5)
        with pytest.raises((RefusedError, UnreachableError)):
            fetcher.get(url.format(port=port), TYPES, admit=lambda _: None)
    assert visits == []


@pytest.mark.parametrize("url", ELSEWHERE.split())
def test_what_is_no_public_page_is_refused_before_anything_is_resolved(url, internet, fetcher):
    with pytest.raises(RefusedError):
        fetcher.get(url, TYPES, admit=lambda _: None)
    assert internet.resolved == internet.connected == []


@pytest.mark.row("I39")
def test_a_name_that_is_bound_anew_between_look_and_step_leads_nowhere_else(internet):
    with a_private_machine() as (port, visits):
        internet.sites[f"http://rebind.example:{port}/"] = Answers()
        internet.names["rebind.example"] = [[PUBLIC], ["127.0.0.1"]]
        fetcher = Fetcher(ports={port}, network=internet.network)

        page = fetcher.get(f"http://rebind.example:{port}/", TYPES, admit=lambda _: None)
        # The next look finds it bound anew, and is no step.
        with pytest.raises(RefusedError, match=r"rebind\.example is not on the public internet"):
            fetcher.get(f"http://rebind.example:{port}/", TYPES, admit=lambda _: None)

    assert b"checkpoint" in page.body
    assert internet.resolved == ["rebind.example"] * 2
    assert internet.connected == [PUBLIC]
    assert visits == []


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        [PUBLIC, "127.0.0.1"],
        ["::1", PUBLIC],
        ["10.0.0.8"],
        ["fe80::1%eth0"],
        ["no address"],
    ],
)
def test_a_name_with_one_address_that_is_not_public_is_refused(answer, internet, fetcher):
    internet.names["example.org"] = [answer]

    with pytest.raises(RefusedError, match="not on the public internet"):
        fetcher.get(URL, TYPES, admit=lambda _: None)
    assert internet.connected == []


@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1:{port}/",
        "http://[::1]:{port}/",
        "http://inside.example:{port}/",
        "//127.0.0.1:{port}/",
        "http://0x7f000001:{port}/",
    ],
)
def test_a_redirect_is_judged_like_the_first_url(target, internet):
    with a_private_machine() as (port, visits):
        internet.names["inside.example"] = [["127.0.0.1"]]
        internet.sites[URL] = Answers(status=302, headers={"Location": target.format(port=port)})
        fetcher = Fetcher(ports={port}, network=internet.network)

        with pytest.raises(RefusedError):
            fetcher.get(URL, TYPES, admit=lambda _: None)
    assert visits == []
    assert internet.urls() == [URL]


@pytest.mark.parametrize(
    "target",
    [
        "file:///etc/passwd",
        "ftp://example.org/",
        "http://example.org:22/",
        "http://u:p@example.org/",
    ],
)
def test_a_redirect_leads_to_no_other_scheme_port_or_user(target, internet, fetcher):
    internet.sites[URL] = Answers(status=301, headers={"Location": target})

    with pytest.raises(RefusedError):
        fetcher.get(URL, TYPES, admit=lambda _: None)


def test_redirects_are_followed_so_far_and_no_further(internet, fetcher):
    for number in range(REDIRECTS_MAX + 1):
        internet.sites[f"http://example.org/{number}"] = Answers(
            status=302, headers={"Location": f"/{number + 1}"}
        )
    internet.sites[f"http://example.org/{REDIRECTS_MAX + 1}"] = Answers()

    last = f"http://example.org/{REDIRECTS_MAX + 1}"
    assert fetcher.get("http://example.org/1", TYPES, admit=lambda _: None).url == last
    with pytest.raises(RefusedError, match="leads on more than"):
        fetcher.get("http://example.org/0", TYPES, admit=lambda _: None)


def test_every_url_on_the_way_must_be_admitted(internet, fetcher):
    internet.sites[URL] = Answers(status=302, headers={"Location": "/b"})
    internet.sites["http://example.org/b"] = Answers()
    asked = []

    fetcher.get(URL, TYPES, admit=lambda url: asked.append(str(url)))

    assert asked == [URL, "http://example.org/b"]


def test_a_request_carries_nothing_of_this_machine(internet, fetcher, monkeypatch, tmp_path):
    netrc = tmp_path / "netrc"
    netrc.write_text("machine example.org login ada password secret")
    monkeypatch.setenv("NETRC", str(netrc))
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    internet.sites[URL] = Answers(
        status=302, headers={"Location": "/b", "Set-Cookie": "session=1; Path=/"}
    )
    internet.sites["http://example.org/b"] = Answers()

    fetcher.get(URL, TYPES, admit=lambda _: None)

    for _, headers in internet.requests:
        assert set(headers) == {"Host", "User-Agent", "Accept", "Accept-Encoding", "Connection"}
        assert headers["Host"] == "example.org"


def test_a_page_that_unpacks_to_more_than_the_limit_is_refused(internet, fetcher):
    bomb = gzip.compress(b"a" * (BYTES_MAX * 50))
    internet.sites[URL] = Answers(
        body=bomb, headers={"Content-Type": "text/html", "Content-Encoding": "gzip"}
    )

    tracemalloc.start()
    try:
        with pytest.raises(RefusedError, match="has more than 2 MB"):
            fetcher.get(URL, TYPES, admit=lambda _: None)
        held = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    # A hundred megabytes are in it.
    assert held < 4 * BYTES_MAX


def test_a_page_of_exactly_the_limit_is_read(internet, fetcher):
    internet.sites[URL] = Answers(body=b"a" * BYTES_MAX, headers={"Content-Type": "text/plain"})
    internet.sites[URL + "b"] = Answers(
        body=b"a" * (BYTES_MAX + 1), headers={"Content-Type": "text/plain"}
    )

    assert len(fetcher.get(URL, TYPES, admit=lambda _: None).body) == BYTES_MAX
    with pytest.raises(RefusedError):
        fetcher.get(URL + "b", TYPES, admit=lambda _: None)


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_a_compressed_page_is_read(pack, internet, fetcher):
    encoding = "gzip" if pack is gzip.compress else "deflate"
    internet.sites[URL] = Answers(
        body=pack(b"hello"), headers={"Content-Type": "text/plain", "Content-Encoding": encoding}
    )

    assert fetcher.get(URL, TYPES, admit=lambda _: None).body == b"hello"


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (Answers(headers={"Content-Type": "application/pdf"}), "'application/pdf', which is not"),
        (Answers(headers={}), "which is not read"),
        (Answers(headers={"Content-Type": "text/html", "Content-Encoding": "br"}), "in 'br'"),
        (Answers(status=403), "answers 403"),
        (Answers(status=401), "answers 401"),
        (Answers(status=204, body=b""), "answers 204"),
    ],
)  # fmt: skip
def test_what_is_not_read_is_refused_with_its_reason(answer, why, internet, fetcher):
    internet.sites[URL] = answer

    with pytest.raises(RefusedError, match=why):
        fetcher.get(URL, TYPES, admit=lambda _: None)


@pytest.mark.parametrize(
    "answer",
    [
        Answers(status=500),
        Answers(status=429),
        Answers(length=10_000),
        Answers(body=gzip.compress(b"x" * 5000)[:-9], headers=GZIPPED),
        Answers(body=b"no gzip", headers=GZIPPED),
    ],
)  # fmt: skip
def test_no_whole_answer_is_unreachable(answer, internet, fetcher):
    internet.sites[URL] = answer

    with pytest.raises(UnreachableError):
        fetcher.get(URL, TYPES, admit=lambda _: None)


def test_a_page_that_is_gone_is_not_found(internet, fetcher):
    with pytest.raises(NotFoundError, match="answers 404"):
        fetcher.get(URL, TYPES, admit=lambda _: None)


def test_a_server_that_sends_a_byte_now_and_then_is_cut_off(internet):
    internet.sites[URL] = Answers(drip_s=0.05, headers={"Content-Type": "text/plain"})
    fetcher = Fetcher(timeout_s=0.4, network=internet.network)

    with pytest.raises(UnreachableError, match=r"example\.org"):
        fetcher.get(URL, TYPES, admit=lambda _: None)
    assert internet.sent_bytes < len(internet.sites[URL].body)


def test_a_connection_that_comes_after_the_time_is_closed(internet):
    """A resolver that takes its time leaves none for a cut to come."""
    slow = threading.Event()

    class Late(type(internet.network.backend)):
        def connect_tcp(self, *where, **how):
            stream = super().connect_tcp(*where, **how)
            slow.wait(0.3)
            return stream

    network = replace(internet.network, backend=Late(internet))
    with PublicBackend(network, timeout_s=0.2) as backend, pytest.raises(httpcore2.ConnectTimeout):
        backend.connect_tcp("example.org", 80)


def test_a_resolver_that_never_answers_is_not_waited_for():
    over = threading.Event()
    fetcher = Fetcher(timeout_s=0.2, network=Network(lambda *_: over.wait(60) and []))

    with pytest.raises(UnreachableError, match="no machine called"):
        fetcher.get(URL, TYPES, admit=lambda _: None)
    over.set()


def test_the_next_address_is_tried_where_one_does_not_answer(internet, fetcher):
    internet.sites[URL] = Answers()
    internet.names["example.org"] = [["93.184.216.1", PUBLIC]]
    wires = internet.network.backend.__class__.connect_tcp

    def refusing(self, host, port, timeout=None, **_):
        if host != PUBLIC:
            raise httpcore2.ConnectError("refused")
        return wires(self, host, port, timeout)

    backend = type("Refusing", (type(internet.network.backend),), {"connect_tcp": refusing})
    network = Network(internet.network.resolve, backend(internet))

    assert Fetcher(network=network).get(URL, TYPES, admit=lambda _: None).status == 200


@pytest.mark.parametrize(
    "address", [PUBLIC, "1.1.1.1", "2606:4700::1111", "64:ff9b::101:101", "::ffff:1.1.1.1"]
)
def test_public_addresses_are_public(address):
    assert is_public(address)


def test_a_port_is_read_where_it_is_allowed():
    assert checked_url("http://example.org:8080/", {8080}).port == 8080
    with pytest.raises(RefusedError, match="port 8080"):
        checked_url("http://example.org:8080/")


def test_the_certificate_is_that_of_the_name_and_not_of_the_address(internet, tmp_path):
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    a_certificate("secure.example", cert, key)
    asked = []
    served = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    served.load_cert_chain(cert, key)
    served.sni_callback = lambda _socket, name, _context: asked.append(name)
    internet.secure(served)
    internet.sites["http://secure.example/"] = internet.sites["http://other.example/"] = Answers()
    trust = ssl.create_default_context(cafile=str(cert))
    fetcher = Fetcher(network=replace(internet.network, trust=trust))

    assert fetcher.get("https://secure.example/", TYPES, admit=lambda _: None).status == 200
    with pytest.raises(UnreachableError):
        fetcher.get("https://other.example/", TYPES, admit=lambda _: None)
    assert asked == ["secure.example", "other.example"]
    assert internet.connected == [PUBLIC, PUBLIC]


def a_certificate(name, cert, key):
    """Write a certificate of *name* that vouches for itself."""
    secret = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    names = x509.SubjectAlternativeName([x509.DNSName(name)])
    now = datetime.now(UTC)  # noqa: TID251 - certificates are checked against this machine's time
    made = (
        x509.CertificateBuilder(called, called, secret.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(names, critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(secret, hashes.SHA256())
    )
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pem, form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8
    key.write_bytes(secret.private_bytes(pem, form, plain))
