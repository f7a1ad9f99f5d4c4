"""Every setting, flat. Each value comes from the environment and has a working default for one machine."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from docrouter import content_policy, version
from docrouter.bundles import STATIC_BUNDLES as STATIC_BUNDLES
from docrouter.databases import describe_database
from docrouter.logs import describe_logging
from docrouter.mail_servers import describe_mail_server, read_sender
from docrouter.oauth import describe_oauth
from docrouter.openapi.generator import SPECTACULAR_SETTINGS as SPECTACULAR_SETTINGS
from kit import env
from kit.processes import embedded, private_files

# Here, because every process reads this file, whatever starts it, and before the first of them makes a file.
private_files.restrict_new_files()
VERSION: str = version.VERSION
BASE_DIR = Path(__file__).resolve().parent.parent
# An installed wheel has templates and static files inside this package, and keeps its data where it is started.
_is_checkout = (BASE_DIR / "manage.py").is_file()
ASSETS_DIR = BASE_DIR if _is_checkout else BASE_DIR / "docrouter"
DATA_DIR = Path(env.text("DATA_DIR", str((BASE_DIR if _is_checkout else Path.cwd()) / "data"))).resolve()
DEBUG = env.flag("DEBUG", False)
LOG_LEVEL = env.choice("LOG_LEVEL", "INFO", {"DEBUG", "INFO", "WARNING", "ERROR"})
PORT = env.number("PORT", 8000, minimum=1, maximum=65535)
PUBLIC_URL = env.text("PUBLIC_URL", f"http://localhost:{PORT}").rstrip("/")
_public = urlsplit(PUBLIC_URL)
if _public.scheme not in {"http", "https"} or not _public.hostname:
    raise ImproperlyConfigured(f"PUBLIC_URL: {PUBLIC_URL!r} is not an address like https://docs.example.com.")
_is_local = _public.hostname in {"localhost", "127.0.0.1", "::1"}
BIND = env.text("BIND", "127.0.0.1" if _is_local else "0.0.0.0")  # noqa: S104 - asked for by a public address
# As many as there are reader processes for scans, which run at low priority: what is quick goes before them.
READING_THREADS = env.number("READING_THREADS", os.cpu_count() or 1, minimum=1)
# A round holds its thread while the model answers, but neither a connection nor work: as many as turns at once.
AGENT_THREADS = env.number("AGENT_THREADS", 96, minimum=1)
AGENT_PROCESSES = env.number("AGENT_PROCESSES", 2 if (os.cpu_count() or 1) >= 4 else 1, minimum=1)

# Embedded means: nothing but this folder. Production means: DATABASE_URL, REDIS_URL and SECRET_KEY from outside.
EMBEDDED_REDIS = not env.text("REDIS_URL")
REDIS_SOCKET = embedded.redis_socket(DATA_DIR)
REDIS_URL = env.text("REDIS_URL", f"unix://{REDIS_SOCKET}")
DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'docrouter.sqlite3'}")
EMBEDDED_DATABASE = not env.text("DATABASE_URL")
_given = env.text("SECRET_KEY") or embedded.secret_key(DATA_DIR, required=not EMBEDDED_DATABASE)
SECRET_KEY, *SECRET_KEY_FALLBACKS = env.split_secrets("SECRET_KEY", _given)

ALLOWED_HOSTS = [_public.hostname, "localhost", "127.0.0.1", "[::1]"]
CSRF_TRUSTED_ORIGINS = [PUBLIC_URL]
# Proxies whose X-Forwarded-For is believed. Without any, everybody behind a proxy has one address.
TRUSTED_PROXIES = env.networks("TRUSTED_PROXIES")
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if _public.scheme == "https" else None
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = _public.scheme == "https"
# A month: long enough to protect, short enough to come back from a certificate that was given up. 0 sends none.
HSTS_SECONDS = env.number("HSTS_SECONDS", 30 * 24 * 3600)
SECURE_HSTS_SECONDS = HSTS_SECONDS if _public.scheme == "https" else 0
SESSION_COOKIE_SAMESITE, SECURE_REFERRER_POLICY = "Lax", "same-origin"

# Pages of these origins may call /v0 with a token: no cookie of ours is taken from them.
_origins = env.origins("CORS_ALLOWED_ORIGINS")
CORS_ALLOW_ALL_ORIGINS = _origins == ("*",)
CORS_ALLOWED_ORIGINS = () if CORS_ALLOW_ALL_ORIGINS else _origins
CORS_URLS_REGEX = r"^/v0/" if _origins else r"(?!)"
CORS_ALLOW_HEADERS = (
    *("accept", "authorization", "content-type", "idempotency-key", "if-match", "if-none-match", "if-range"),
    *("last-event-id", "range", "x-api-key", "x-request-id", "x-requested-with"),
)
CORS_EXPOSE_HEADERS = (
    *("Accept-Ranges", "Allow", "Content-Disposition", "Content-Range", "ETag", "Location"),
    *("RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "X-Request-Id"),
)
CORS_PREFLIGHT_MAX_AGE = 600
# Requests to /v0 in a minute of one token or session, and of one address, behind which many of them may be. 0: any.
API_RATE_LIMIT = env.number("API_RATE_LIMIT", 3_000)
API_ADDRESS_RATE_LIMIT = env.number("API_ADDRESS_RATE_LIMIT", 12_000)

INSTALLED_APPS = [
    "accounts.apps.AdministrationConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "kit.static_files.apps.NeededFilesConfig",
    "django_htmx",
    "corsheaders",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "channels",
    "oauth2_provider",
    "accounts",
    "documents",
    "agent",
    "worker",
    *env.names("EXTRA_APPS"),
]
MIDDLEWARE = [
    "kit.http.request_ids.request_id_middleware",
    # Outside of whatever refuses: a page of another origin learns why, and asks beforehand without credentials.
    "corsheaders.middleware.CorsMiddleware",
    "accounts.api.rate_limits.RateLimitMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "kit.http.compression.PageCompressionMiddleware",
    # Before anything that reads a query or a form.
    "accounts.middleware.ReadableRequestMiddleware",
    "kit.http.caching.PrivateAnswersMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "accounts.middleware.AskerMiddleware",
    "accounts.middleware.FormatMiddleware",
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "accounts.middleware.AppErrorMiddleware",
]
ROOT_URLCONF, ASGI_APPLICATION = "docrouter.urls", "docrouter.asgi.application"
APPEND_SLASH = False
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ASSETS_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context_processors.shell",
            ],
        },
    },
]

DATABASES = {"default": describe_database(DATABASE_URL)}
MAX_DATABASE_CONNECTIONS = env.number("MAX_DATABASE_CONNECTIONS", 24, minimum=2)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_USER_MODEL = "accounts.User"
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "/"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ("email", "name")},
    },
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 12}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "accounts.services.sign_in.passwords.DifferentCharactersValidator"},
    {"NAME": "accounts.services.sign_in.passwords.GuessableValidator"},
]
PASSWORD_SCORE = env.number("PASSWORD_SCORE", 3, maximum=4)
FIRST_PASSWORD_SCORE = env.number("FIRST_PASSWORD_SCORE", 1, maximum=4)
ADMIN_EMAIL = env.text("ADMIN_EMAIL")
ADMIN_PASSWORD = env.text("ADMIN_PASSWORD")

# Links to new passwords and invitations. Without a server none is sent, and whoever asks as an admin is shown the link.
EMAIL_URL = env.text("EMAIL_URL")
_mail = describe_mail_server(EMAIL_URL)
EMAIL_BACKEND, EMAIL_FILE_PATH = _mail.backend, _mail.file_path
EMAIL_HOST, EMAIL_PORT = _mail.host, _mail.port
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.user, _mail.password
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.begins_tls, _mail.is_tls
EMAIL_TIMEOUT = 20
HELP_CONTACT = env.text("HELP_CONTACT")
DEFAULT_FROM_EMAIL = SERVER_EMAIL = read_sender(env.text("EMAIL_FROM"), host=_public.hostname)
# Life of a link to a new password, which also ends with the first use and with the next sign-in.
PASSWORD_RESET_TIMEOUT = 3600

LANGUAGE_CODE = "en"
TIME_ZONE = env.time_zone("TIME_ZONE", "UTC")
USE_TZ = True
USE_I18N = False

STATIC_URL = "/static/"
STATIC_ROOT = Path(env.text("STATIC_ROOT", str(DATA_DIR / "static"))).resolve()
STATICFILES_DIRS = [ASSETS_DIR / "static"]
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False

STORAGE_DIR = DATA_DIR / "files"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage", "OPTIONS": {"location": STORAGE_DIR}},
    "derived": {"BACKEND": "documents.storage.folders.ReplacingFolder", "OPTIONS": {"location": DATA_DIR / "cache"}},
    "orphans": {"BACKEND": "documents.storage.folders.ReplacingFolder", "OPTIONS": {"location": DATA_DIR / "orphans"}},
    "staticfiles": {"BACKEND": "kit.static_files.storage.JoinedFilesStorage"},
}
# docs/retention.md says how long things are kept. 0 days in the trash: until somebody empties it.
TRASH_DAYS, RESULT_FILE_DAYS = env.number("TRASH_DAYS", 30), env.number("RESULT_FILE_DAYS", 7, minimum=1)
CACHE_DAYS, CACHE_MB = env.number("CACHE_DAYS", 30, minimum=1), env.number("CACHE_MB", 1000, minimum=1)
# Keep how long documents take in review, without names.
KEEP_REVIEW_TIMES = env.flag("KEEP_REVIEW_TIMES", True)
# Requests to addresses that people, models and other servers give. Private hosts are asked where they are named here.
OUTBOUND_PRIVATE_HOSTS = env.hosts("OUTBOUND_PRIVATE_HOSTS")
OUTBOUND_PORTS = env.ports("OUTBOUND_PORTS", (80, 443))
OUTBOUND_PER_MINUTE = env.number("OUTBOUND_PER_MINUTE", 60, minimum=1)
OUTSIDE_MCP_COMMANDS = env.commands("OUTSIDE_MCP_COMMANDS")
OUTSIDE_MCP_SECONDS = env.number("OUTSIDE_MCP_SECONDS", 60, minimum=1, maximum=600)
OUTBOUND_LOG_DAYS = env.number("OUTBOUND_LOG_DAYS", 90, minimum=1)
# Programs that people connect over OAuth: beside https and http on loopback, where the answer may lead.
OAUTH_REDIRECT_SCHEMES = env.names("OAUTH_REDIRECT_SCHEMES", "cursor, vscode, vscode-insiders, windsurf")
OAUTH_MAX_DAYS = env.number("OAUTH_MAX_DAYS", 365, minimum=1, maximum=3650)
OAUTH_IDLE_DAYS = env.number("OAUTH_IDLE_DAYS", 90, minimum=1, maximum=3650)
OAUTH_CLIENT_DAYS = env.number("OAUTH_CLIENT_DAYS", 30, minimum=1, maximum=3650)
OAUTH_MAX_CLIENTS, OAUTH_PER_MINUTE = env.number("OAUTH_MAX_CLIENTS", 2_000), env.number("OAUTH_PER_MINUTE", 10)
OAUTH2_PROVIDER = describe_oauth(PUBLIC_URL, OAUTH_REDIRECT_SCHEMES, OAUTH_IDLE_DAYS, OAUTH_MAX_CLIENTS)
EVENT_DAYS, BACKUP_DAYS = env.number("EVENT_DAYS", 30, minimum=1), env.number("BACKUP_DAYS", 7, minimum=1)
MIN_FREE_DISK_MB = env.number("MIN_FREE_DISK_MB", 500)
MAX_UPLOAD_MB, MAX_PAGES = env.number("MAX_UPLOAD_MB", 50, minimum=1), env.number("MAX_PAGES", 500, minimum=1)
# For DOC and PPT; empty: these are refused with a sentence.
SOFFICE = env.program("SOFFICE", "soffice")
# Computing for all pages of a document. Measured: 500 scans of 1,100 words take 2,900, on their sides 4,500.
READING_LIMIT_SECONDS = env.number("READING_LIMIT_SECONDS", 5400, minimum=60)
DATA_UPLOAD_MAX_MEMORY_SIZE = MAX_UPLOAD_MB * 1024 * 1024 * 4 // 3 + 1024 * 1024  # one file as base64 in JSON
FILE_UPLOAD_MAX_MEMORY_SIZE = 1024 * 1024
# Django sets the rights of stored files itself, whatever the umask is.
FILE_UPLOAD_PERMISSIONS = 0o600
FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o700

# No socket timeout: the layer waits 5 s in Redis for a message, and redis-py's own default gives up just then.
_layer_host = {"address": REDIS_URL, "socket_timeout": None}
CHANNEL_LAYERS = {
    "default": {
        "BACKEND": "channels_redis.core.RedisChannelLayer",
        "CONFIG": {"hosts": [_layer_host], "prefix": "docrouter", "capacity": 1000, "expiry": 30},
    },
}
CACHES = {"default": {"BACKEND": "kit.processes.redis_cache.RedisCache", "LOCATION": REDIS_URL}}
CELERY_BROKER_URL = embedded.celery_url(REDIS_URL)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3600, "global_keyprefix": "docrouter:"}

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["accounts.api.authentication.TokenOrSession"],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["accounts.api.wire.parsing.PlainJSONParser"],
    "DEFAULT_CONTENT_NEGOTIATION_CLASS": "accounts.api.wire.parsing.AlwaysJson",
    "EXCEPTION_HANDLER": "accounts.api.wire.errors.handle",
    "URL_FORMAT_OVERRIDE": None,  # `format` is a parameter of a route here
    "DEFAULT_SCHEMA_CLASS": "docrouter.openapi.operation_schema.OperationSchema",
    "UNAUTHENTICATED_USER": None,
}

CONTENT_SECURITY_POLICY = {"DIRECTIVES": content_policy.DIRECTIVES}

# Models. The offline model needs no key and is the default until a real one is named.
DEFAULT_MODEL = env.text("DEFAULT_MODEL", "offline/rules")
EXTRACTION_MODEL = env.text("EXTRACTION_MODEL", DEFAULT_MODEL)
# For searches by meaning. Empty: by words alone.
EMBEDDING_MODEL = env.text("EMBEDDING_MODEL")
MODEL_API_BASE = env.text("MODEL_API_BASE")
# Providers whose servers are one's own, or with =no are not; for the others the address of the server decides.
LOCAL_PROVIDERS = env.switches_by_name("LOCAL_PROVIDERS")
# Secrets that seal stored provider keys: the newest first, after a comma earlier ones that still open.
PROVIDER_KEY_SECRET = [part.strip() for part in env.text("PROVIDER_KEY_SECRET").split(",") if part.strip()]
MODEL_TIMEOUT_SECONDS = env.number("MODEL_TIMEOUT_SECONDS", 120, minimum=1)
MODEL_MAX_TOKENS = env.number("MODEL_MAX_TOKENS", 8000, minimum=16)
TOOL_SECONDS = env.number("TOOL_SECONDS", 30, minimum=1)
RESEARCH_SECONDS = env.number("RESEARCH_SECONDS", 120, minimum=1)
GETCHUNKS_MAX_DEPTH = env.number("GETCHUNKS_MAX_DEPTH", 10, minimum=0, maximum=100)
GETCHUNKS_MAX_TOTAL_CHUNKS = env.number("GETCHUNKS_MAX_TOTAL_CHUNKS", 100, minimum=1, maximum=1000)
# Tokens of a round's messages, or this percent of what its model reads; older rounds are summarized beyond it.
CONTEXT_TOKENS = env.number("CONTEXT_TOKENS", 24_000, minimum=2_000)
CONTEXT_PERCENT = env.number("CONTEXT_PERCENT", 20, maximum=90)
# Names with * as placeholder, separated by commas, where the list of models is wrong about who can call tools.
MODELS_WITHOUT_TOOLS, MODELS_WITH_PICTURES = env.names("MODELS_WITHOUT_TOOLS"), env.names("MODELS_WITH_PICTURES")
MODELS_WITH_TOOLS = env.names("MODELS_WITH_TOOLS")
# Calls under way at once, over all workers: 8, or openai=8, anthropic=4. Empty: as many as there are.
PROVIDER_CONCURRENCY = env.numbers_by_name("PROVIDER_CONCURRENCY")
# Dollars for a million tokens read / written, of models that no list has a price of: openai/mine=0, vllm/*=0.2/0.6
MODEL_PRICES = env.prices("MODEL_PRICES")
UNKNOWN_PRICE_MICROS_PER_MTOK = env.number("UNKNOWN_PRICE_MICROS_PER_MTOK", 30_000_000, minimum=1)
MONTHLY_BUDGET_USD = env.amount("MONTHLY_BUDGET_USD", 50)
TURN_BUDGET_USD = env.amount("TURN_BUDGET_USD", 1)
TURN_MAX_ROUNDS = env.number("TURN_MAX_ROUNDS", 10, minimum=1)
# Schemas, prompts and tags: documents can order any number, so what comes after these waits for a person.
MAX_CREATED_UNASKED = env.number("MAX_CREATED_UNASKED", 5, minimum=0)
# Limits work on a turn: the time that it waits for a person does not count.
TURN_LIMIT_SECONDS = env.number("TURN_LIMIT_SECONDS", 900, minimum=1)
# Over all its tries: a tool call or an extraction that has worked so long and broke off again is given up.
WORK_LIMIT_SECONDS = env.number("WORK_LIMIT_SECONDS", 1800, minimum=1)
HEADLESS_BUDGET_USD = env.amount("HEADLESS_BUDGET_USD", 0.5)
HEADLESS_MAX_ROUNDS = env.number("HEADLESS_MAX_ROUNDS", 10, minimum=1)
HEADLESS_LIMIT_SECONDS = env.number("HEADLESS_LIMIT_SECONDS", 120, minimum=1)
# Below the 30 seconds after which the published TypeScript client gives up.
RUN_WAIT_SECONDS = env.number("RUN_WAIT_SECONDS", 25, minimum=0)
MCP_WAIT_SECONDS = env.number("MCP_WAIT_SECONDS", 5, minimum=0)
CARD_EXPIRY_DAYS = env.number("CARD_EXPIRY_DAYS", 30, minimum=1)
LOGGING = describe_logging(LOG_LEVEL)
