"""The verbs of pages, and of what people change in their sections; importing this declares them."""

from tilth.pages.verbs import page_verbs as page_verbs
from tilth.pages.verbs import section_verbs as section_verbs
