"""What identifies a person is masked on reading, and what only looks like it is not."""

import pytest

from tilth.privacy.personal import mask_personal


@pytest.mark.row("EM-042")
@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("write to ann.b+list@mail.example.co.uk.", "write to [email]."),
        ("<ann@example.org>,bob@example.org", "<[email]>,[email]"),
        ("联系ann@example.org谢谢", "联系[email]谢谢"),
        ("ann\uff20example.org and bob@exa\u200bmple.org", "[email] and [email]"),
        ("from 10.0.0.5, 192.168.1.1:80 8.8.8.8/32", "from [ip], [ip]:80 [ip]/32"),
        (
            "at [2001:db8::ff00:42:8329]:443 or ::1 or fe80::1%eth0.",
            "at [[ip]]:443 or [ip] or [ip].",
        ),
        ("mapped ::ffff:192.0.2.128, full 2001:db8:0:0:0:0:2:1", "mapped [ip], full [ip]"),
        ("call +1 (555) 123-4567 or 555-123-4567", "call [phone] or [phone]"),
        ("+44 20 7946 0958, 020 7946 0958, +4915112345678", "[phone], [phone], [phone]"),
        ("06 12 34 56 78 or (555) 123-4567", "[phone] or [phone]"),
        ("my phone number is 5551234567", "my phone number is [phone]"),
        ("card 4111 1111 1111 1111, 378282246310005", "card [card], [card]"),
        ("5500-0000-0000-0004\n4111111111111111\n", "[card]\n[card]\n"),
        ("DE89 3704 0044 0532 0130 00 AND GB82WEST12345698765432", "[iban] AND [iban]"),
        ("pay to nl91abna0417164300", "pay to [iban]"),
        ("key ghp_" + "a1" * 18, "key [secret:github_token]"),
    ],
)
def test_personal_data_and_keys_become_tags(text, masked):
    assert mask_personal(text) == masked


@pytest.mark.row("EM-042")
@pytest.mark.parametrize(
    "text",
    [
        "epi_01J8ZQ4X5RKMD3N7T2V9W6YABC led to fact_01J8ZQ4X5RKMD3N7T2V9W60123",
        "3f2504e0-4f89-11d3-9a0c-0305e82c3301",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "2026-01-09 10:22:33.123456 and 2026-01-09T10:22:33+01:00",
        "at 12:34:56, in 01:02:03:04",
        "v1.2.3.4, a release of 1.2.3 and 1.2.3.4.5",
        "999.1.1.1 and 256.256.256.256",
        "4111111111111112 is off by one, 1234567890123456 is a count",
        "1767953123 1767953123123 1767953123123456",
        "DE88370400440532013000 does not add up",
        "std::add, a::b, dead::beef, call me maybe",
        "aa:bb:cc:dd:ee:ff and SHA256 12:34:56:78:9a:bc:de:f0:12:34",
        "@decorator, user@host, a @ b.c",
        "10-20-30, 2026-11-21, 100 200 300, 3.14159265358979",
        "lines 120-134, port 8080, HTTP 404, 1,234,567 rows",
    ],
)
def test_what_is_no_personal_data_stays(text):
    assert mask_personal(text) == text


def test_masking_what_is_masked_changes_nothing():
    masked = mask_personal("ann@example.org 10.0.0.5 +1 555 123 4567 4111111111111111")
    assert masked == "[email] [ip] [phone] [card]"
    assert mask_personal(masked) == masked
