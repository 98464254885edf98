"""Keys of payments, shops, messaging, mail, and other services of a business."""

from tilth.privacy.families.family import Family, near
from tilth.privacy.families.judgement import is_mixed

_UUID = r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}"

SERVICE_FAMILIES = (
    Family(
        "stripe_key", r"[sr]k_(?:live|test|prod)_", r"[sr]k_(?:live|test|prod)_[A-Za-z0-9]{16,}"
    ),
    Family("webhook_secret", r"whsec_", r"whsec_[A-Za-z0-9+/=_-]{24,}"),
    Family("square_token", r"sq0(?:atp|csp)-", r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}"),
    Family("square_token", r"\bEAAA", r"\bEAAA[A-Za-z0-9_-]{60}\b"),
    Family("facebook_token", r"\bEAA", r"\bEAA[A-Za-z0-9]{80,}"),
    Family("shopify_token", r"shp[a-z]{2,3}_", r"shp(?:at|ss|ca|pa|tka)_[0-9a-fA-F]{32}"),
    Family(
        "braintree_token",
        r"access_token\$",
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}",
    ),
    Family(
        "plaid_token",
        r"access-(?:sandbox|development|production)-",
        rf"access-(?:sandbox|development|production)-{_UUID}",
    ),
    Family("razorpay_key", r"rzp_(?:live|test)_", r"rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    Family("flutterwave_key", r"FLWSECK", r"FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,}(?:-X)?"),
    Family("adyen_key", r"\bAQE[a-z]", r"\bAQE[a-z][A-Za-z0-9+/=_-]{60,}"),
    Family("easypost_key", r"EZ[AT]K", r"\bEZ[AT]K[A-Za-z0-9]{54}"),
    Family("shippo_token", r"shippo_", r"shippo_(?:live|test)_[0-9a-f]{40}"),
    Family("duffel_token", r"duffel_", r"duffel_(?:live|test)_[A-Za-z0-9_-]{40,}"),
    Family(
        "slack_token",
        r"(?i:xox[abceoprs]|xapp)[-.]",
        r"(?i:xox[abceoprs][-.]|xapp-)[A-Za-z0-9.-]{10,}",
        is_mixed,
    ),
    Family(
        "slack_webhook",
        r"hooks\.slack\.com",
        r"hooks\.slack\.com/(?P<secret>(?:services|workflows|triggers)/[A-Za-z0-9+/_-]{20,})",
    ),
    Family(
        "discord_webhook",
        r"api/webhooks/",
        r"discord(?:app)?\.com/(?P<secret>api/webhooks/\d{15,20}/[A-Za-z0-9_-]{40,})",
    ),
    Family(
        "discord_token",
        r"\b[MNO][A-Za-z0-9_-]{23,27}\.",
        r"\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}",
        is_mixed,
    ),
    Family(
        "teams_webhook",
        r"webhook\.office\.com",
        r"webhook\.office\.com/(?P<secret>webhookb2/[A-Za-z0-9@/_-]{60,})",
    ),
    Family(
        "zapier_webhook",
        r"hooks\.zapier\.com",
        r"hooks\.zapier\.com/(?P<secret>hooks/catch/\d+/[A-Za-z0-9]+)",
    ),
    Family("telegram_token", r"\d:AA", r"(?:\b|bot)(?P<secret>\d{8,10}:AA[A-Za-z0-9_-]{32,34})"),
    Family("sendgrid_key", r"\bSG\.", r"\bSG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    Family("mailgun_key", r"\bkey-", r"\bkey-[0-9a-f]{32}\b"),
    Family(
        "mailgun_key", r"(?i:mailgun)", near("mailgun", r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}")
    ),
    Family("mailchimp_key", r"-us\d", r"\b[0-9a-f]{32}-us\d{1,2}\b"),
    Family("mandrill_key", r"\bmd-", r"\bmd-[A-Za-z0-9_-]{22}\b", is_mixed),
    Family(
        "brevo_key", r"x(?:keysib|smtpsib)-", r"x(?:keysib|smtpsib)-[0-9a-f]{64}-[A-Za-z0-9]{16}"
    ),
    Family("resend_key", r"\bre_", r"\bre_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}\b", is_mixed),
    Family("twilio_key", r"\bSK[0-9a-f]", r"\bSK[0-9a-f]{32}\b"),
    Family(
        "twilio_token",
        r"(?i:twilio)|\bAC[0-9a-f]{32}",
        r"(?:(?i:twilio)|\bAC[0-9a-f]{32})[^0-9a-f][^\n]{0,40}?\b(?P<secret>[0-9a-f]{32})\b",
    ),
    Family("notion_token", r"ntn_", r"\bntn_[A-Za-z0-9]{40,}"),
    Family("notion_token", r"\bsecret_", r"\bsecret_[A-Za-z0-9]{43}\b"),
    Family("airtable_token", r"\bpat[A-Za-z0-9]{14}\.", r"\bpat[A-Za-z0-9]{14}\.[0-9a-f]{64}"),
    Family("hubspot_token", r"pat-(?:na|eu|ap)\d-", rf"\bpat-(?:na|eu|ap)\d-{_UUID}"),
    Family("dropbox_token", r"\bsl\.", r"\bsl\.(?:u\.)?[A-Za-z0-9_-]{100,}"),
    Family("typeform_token", r"tfp_", r"\btfp_[A-Za-z0-9_.=-]{40,}"),
    Family("contentful_token", r"CFPAT-", r"CFPAT-[A-Za-z0-9_-]{40,}"),
    Family("mapbox_token", r"\bsk\.eyJ", r"\bsk\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}"),
    Family("posthog_key", r"ph[xs]_", r"\bph[xs]_[A-Za-z0-9]{32,}"),
    Family("twitter_bearer", r"A{18}", r"\bA{18,}[A-Za-z0-9%_-]{60,}"),
    Family("twitch_token", r"oauth:", r"\boauth:(?P<secret>[a-z0-9]{30})\b"),
    Family("algolia_key", r"(?i:algolia)", near("algolia", r"[0-9a-f]{32}")),
    Family("postmark_token", r"(?i:postmark)", near("postmark", _UUID)),
    Family("spotify_secret", r"(?i:spotify)", near("spotify", r"[0-9a-f]{32}")),
    Family("intercom_token", r"\bdG9rO", r"\bdG9rO[A-Za-z0-9+/]{40,}={0,2}"),
)
