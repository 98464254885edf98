"""Keys of model providers, of their tracing, and of search made for agents."""

from tilth.privacy.families.family import Family, near
from tilth.privacy.families.judgement import has_many_digits, is_mixed

MODEL_FAMILIES = (
    Family("anthropic_key", r"sk-ant-", r"sk-ant-[A-Za-z0-9_-]{20,}"),
    Family("openrouter_key", r"sk-or-", r"sk-or-(?:v\d-)?[A-Za-z0-9]{32,}"),
    Family("langfuse_key", r"sk-lf-", r"sk-lf-[0-9a-f-]{36}"),
    Family(
        "openai_key",
        r"sk-(?:proj|svcacct|admin|service|None)-",
        r"\bsk-(?:proj|svcacct|admin|service|None)-[A-Za-z0-9_-]{20,}",
    ),
    Family("openai_key", r"\bsk-", r"\bsk-[A-Za-z0-9]{20,}"),
    Family("openai_key", r"\bsk-", r"\bsk-[A-Za-z0-9_-]{20,}", has_many_digits),
    Family("openai_session", r"sess-", r"\bsess-[A-Za-z0-9]{40}\b"),
    Family("langsmith_key", r"lsv2_", r"lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}"),
    Family("huggingface_token", r"hf_", r"\bhf_[A-Za-z0-9]{30,}"),
    Family("huggingface_token", r"api_org_", r"\bapi_org_[A-Za-z0-9]{34}\b"),
    Family("replicate_token", r"r8_", r"\br8_[A-Za-z0-9]{30,}"),
    Family("groq_key", r"gsk_", r"\bgsk_[A-Za-z0-9]{40,}"),
    Family("xai_key", r"xai-", r"\bxai-[A-Za-z0-9_-]{60,}"),
    Family("perplexity_key", r"pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    Family("together_key", r"tgp_v1_", r"tgp_v1_[A-Za-z0-9_-]{40,}"),
    Family("fireworks_key", r"\bfw_", r"\bfw_[A-Za-z0-9]{22,}", is_mixed),
    Family("nvidia_key", r"nvapi-", r"nvapi-[A-Za-z0-9_-]{60,}"),
    Family("cerebras_key", r"csk-", r"\bcsk-[a-z0-9]{40,}"),
    Family("pinecone_key", r"pcsk_", r"pcsk_[A-Za-z0-9_]{50,}"),
    Family("tavily_key", r"tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9_-]{20,}"),
    Family("firecrawl_key", r"fc-", r"\bfc-[0-9a-f]{32}\b"),
    Family("jina_key", r"jina_", r"jina_[0-9a-f]{32}[A-Za-z0-9_-]{20,}"),
    Family("voyage_key", r"\bpa-", r"\bpa-[A-Za-z0-9_-]{43}\b", is_mixed),
    Family("elevenlabs_key", r"\bsk_", r"\bsk_[0-9a-f]{48}\b"),
    Family("wandb_key", r"wandb_v1_", r"wandb_v1_[A-Za-z0-9_-]{30,}"),
    Family("wandb_key", r"(?i:wandb)", near("wandb", r"[0-9a-f]{40}")),
    Family("wandb_key", r"wandb login", r"wandb login (?:--relogin )?(?P<secret>[0-9a-f]{40})"),
    Family("mistral_key", r"(?i:mistral)", near("mistral", r"[A-Za-z0-9]{32}"), is_mixed),
    Family(
        "cohere_key", r"(?i:cohere|co_api_key)", near("cohere|co_api", r"[A-Za-z0-9]{40}"), is_mixed
    ),
    Family("deepgram_key", r"(?i:deepgram)", near("deepgram", r"[0-9a-f]{40}")),
    Family("assemblyai_key", r"(?i:assemblyai)", near("assemblyai", r"[0-9a-f]{32}")),
)
