"""Credentials of clouds, platforms, databases as a service, and what watches over them."""

from tilth.privacy.families.family import Family, near
from tilth.privacy.families.judgement import is_mixed

_UUID = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

CLOUD_FAMILIES = (
    Family("aws_access_key", r"A(?:KIA|SIA|BIA|CCA)", r"\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b"),
    Family(
        "aws_secret_key",
        r"(?i:aws|secret|amazon)",
        r"(?i:aws|amazon|secret_?access_?key)[A-Za-z0-9_. -]{0,30}"
        r"[\"'`]?\s{0,3}(?:=>|:=|[:=,]| is )[ \t]*"
        r"[\"'`]?(?P<secret>[A-Za-z0-9/+]{40})(?:[^A-Za-z0-9/+]|$)",
        is_mixed,
    ),
    Family(
        "aws_session_token",
        r"FwoGZXIvYXdz|IQoJb3JpZ2lu",
        r"(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/=%]{50,}",
    ),
    Family(
        "aws_bedrock_key",
        r"ABSK|bedrock-api-key-",
        r"\b(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{80,}={0,2}",
    ),
    Family("aws_mws_token", r"amzn\.mws\.", rf"amzn\.mws\.{_UUID}"),
    Family("google_api_key", r"AIza", r"AIza[0-9A-Za-z_-]{35}"),
    Family("google_oauth_secret", r"GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{24,}"),
    Family("google_access_token", r"ya29\.", r"\bya29\.[A-Za-z0-9_.-]{20,}"),
    Family("google_refresh_token", r"1//0", r"\b1//0[A-Za-z0-9_-]{20,}"),
    Family(
        "google_key_id",
        r"private_key_id",
        r"private_key_id[\"']?\s*:\s*[\"'](?P<secret>[0-9a-f]{40})",
    ),
    Family(
        "azure_storage_key",
        r"(?i:accountkey|sharedaccesskey)",
        r"(?i:accountkey|sharedaccesskey)\s{0,2}[=:]\s{0,2}[\"']?(?P<secret>[A-Za-z0-9+/]{40,}={0,2})",
    ),
    Family("azure_sas", r"sig=", r"[?&;\s]sig=(?P<secret>[A-Za-z0-9%/+_-]{40,}={0,2})"),
    Family("azure_client_secret", r"\dQ~", r"[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{30,}"),
    Family(
        "azure_devops_token", r"(?i:azure|devops|ado_)", near("azure|devops|ado_", r"[a-z2-7]{52}")
    ),
    Family("digitalocean_token", r"do[opr]_v1_", r"do[opr]_v1_[0-9a-f]{64}"),
    Family("heroku_key", r"HRKU-", r"HRKU-[A-Za-z0-9_-]{20,}"),
    Family("heroku_key", r"(?i:heroku)", near("heroku", _UUID)),
    Family("fly_token", r"fo1_", r"\bfo1_[A-Za-z0-9_-]{40,}"),
    Family("fly_token", r"fm[12][ar]?_", r"\bfm[12][ar]?_[A-Za-z0-9+/=_-]{60,}"),
    Family("cloudflare_token", r"v1\.0-", r"\bv1\.0-[0-9a-f]{24}-[0-9a-f]{146}"),
    Family("cloudflare_token", r"cf(?:k|ut|at)_", r"\bcf(?:k|ut|at)_[A-Za-z0-9]{40,}"),
    Family(
        "cloudflare_token",
        r"(?i:cloudflare|cf_api)",
        near("cloudflare|cf_api", r"(?:[A-Za-z0-9_-]{40}|[0-9a-f]{37})"),
        is_mixed,
    ),
    Family("vault_token", r"hv[sbr]\.", r"\bhv[sbr]\.[A-Za-z0-9_-]{20,}"),
    Family("vault_token", r"(?i:vault)", near("vault", r"s\.[A-Za-z0-9]{24}")),
    Family("terraform_token", r"\.atlasv1\.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    Family("pulumi_token", r"pul-", r"\bpul-[0-9a-f]{40}\b"),
    Family(
        "doppler_token",
        r"dp\.",
        r"\bdp\.(?:pt|st|sa|scim|audit|ct)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}\b",
    ),
    Family("planetscale_token", r"pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.=-]{32,}"),
    Family("supabase_key", r"sbp_", r"\bsbp_(?:v0_|oauth_)?[0-9a-f]{40}\b"),
    Family("supabase_key", r"sb_secret_", r"sb_secret_[A-Za-z0-9_-]{20,}"),
    Family("neon_key", r"napi_", r"\bnapi_[a-z0-9]{50,}"),
    Family("databricks_token", r"dapi", r"\bdapi[0-9a-f]{32}(?:-\d)?\b"),
    Family("alibaba_key", r"LTAI", r"\bLTAI[A-Za-z0-9]{12,26}\b"),
    Family("tencent_key", r"AKID", r"\bAKID[A-Za-z0-9]{32}\b"),
    Family("yandex_key", r"AQVN", r"\bAQVN[A-Za-z0-9_-]{35,}"),
    Family("scaleway_key", r"SCW", r"\bSCW[A-Z0-9]{17}\b"),
    Family("openshift_token", r"sha256~", r"\bsha256~[A-Za-z0-9_-]{43}"),
    Family("tailscale_key", r"tskey-", r"tskey-(?:[a-z]+-)?[A-Za-z0-9]+-[A-Za-z0-9]{10,}"),
    Family("onepassword_token", r"ops_eyJ", r"\bops_eyJ[A-Za-z0-9+/=_-]{60,}"),
    Family(
        "onepassword_secret_key",
        r"A3-",
        r"\bA3-[A-Z0-9]{6}-(?:[A-Z0-9]{6}|[A-Z0-9]{11})(?:-[A-Z0-9]{5}){3,4}\b",
    ),
    Family("age_key", r"(?i:age-secret-key-)", r"(?i:AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{50,})"),
    Family("grafana_token", r"glsa_", r"glsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
    Family("grafana_token", r"glc_", r"\bglc_[A-Za-z0-9+/_-]{32,}={0,2}"),
    Family("grafana_token", r"eyJrIjoi", r"\beyJrIjoi[A-Za-z0-9+/_-]{40,}={0,2}"),
    Family(
        "newrelic_key", r"NR(?:AK|II|IQ|JS|RA|AL)-", r"\bNR(?:AK|II|IQ|JS|RA|AL)-[A-Za-z0-9_-]{19,}"
    ),
    Family(
        "datadog_key",
        r"(?i:datadog|dd_a)",
        near("datadog|dd_api|dd_app", r"(?:[0-9a-f]{40}|[0-9a-f]{32})"),
    ),
    Family("dynatrace_token", r"dt0[a-z]\d\d\.", r"\bdt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}\b"),
    Family("honeycomb_key", r"hca?i[kc]_", r"\bhca?i[kc]_[a-z0-9]{40,}"),
    Family(
        "pagerduty_key",
        r"(?i:pagerduty|pd_api)",
        near("pagerduty|pd_api", r"(?:u\+[A-Za-z0-9_+-]{18}|[A-Za-z0-9_+-]{20})"),
        is_mixed,
    ),
    Family(
        "okta_token",
        r"(?i:okta|ssws)",
        r"(?i:okta[A-Za-z0-9_. -]{0,30}[\"'`]?\s?[:=,]|ssws)[ \t]*"
        r"[\"'`]?(?P<secret>00[A-Za-z0-9_-]{40})\b",
    ),
    Family(
        "wireguard_key",
        r"(?i:privatekey|presharedkey)",
        r"(?i:privatekey|presharedkey)\s{0,3}=\s{0,3}(?P<secret>[A-Za-z0-9+/]{43}=)",
    ),
)
