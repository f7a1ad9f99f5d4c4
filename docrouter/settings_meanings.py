"""The meaning of each environment variable, in the sections and order of docs/settings.md."""

from __future__ import annotations

from typing import NamedTuple


class Setting(NamedTuple):
    """`default`: Markdown for a default that the code computes; empty where it stands in `docrouter/settings.py`."""

    name: str
    meaning: str
    default: str = ""


SECTIONS: dict[str, tuple[Setting, ...]] = {
    "Where it runs": (
        Setting("DATA_DIR", "Folder of files, SQLite, Redis, caches and the generated key.", "`data/`"),
        Setting("PORT", "Port of the web server."),
        Setting(
            "BIND",
            "Address the web server listens on.",
            "loopback, or all addresses with a `PUBLIC_URL` of another machine",
        ),
        Setting(
            "PUBLIC_URL",
            "Address people use. It gives the allowed hosts, CSRF origins and secure cookies.",
            "`http://localhost:8000`",
        ),
        Setting(
            "TRUSTED_PROXIES",
            "Addresses or networks of your proxies, such as `127.0.0.1, 172.16.0.0/12`, whose `X-Forwarded-For` is"
            " believed.",
        ),
        Setting(
            "HSTS_SECONDS",
            "How long browsers keep to https, with an https `PUBLIC_URL`. 0 sends no header.",
            "2592000 (30 days)",
        ),
        Setting(
            "SECRET_KEY",
            "Signs sessions and links. Required with `DATABASE_URL`. Put a new one first, before a comma, to rotate.",
            "generated",
        ),
        Setting("DATABASE_URL", "`postgres://user:password@host/name`.", "SQLite in `DATA_DIR`"),
        Setting(
            "MAX_DATABASE_CONNECTIONS",
            "PostgreSQL connections of one process at a time. Whoever comes then waits for up to 20 seconds.",
        ),
        Setting("REDIS_URL", "`redis://host:6379/0`.", "embedded"),
        Setting(
            "STATIC_ROOT",
            "Where joined and compressed scripts and stylesheets go. `manage.py up` and `web` write them when they"
            " have changed.",
            "`DATA_DIR/static`",
        ),
        Setting("EXTRA_APPS", "Django apps of your own, separated by commas, such as one with tools for the agent."),
        Setting("TIME_ZONE", "Zone of times on pages."),
        Setting("LOG_LEVEL", "`DEBUG`, `INFO`, `WARNING` or `ERROR`."),
        Setting(
            "DEBUG", "For development: Django's error pages, which show settings and code, and single static files."
        ),
    ),
    "Workers": (
        Setting(
            "READING_THREADS",
            "Scans that one reading worker reads at a time. It reads half as many texts beside them.",
            "number of cores",
        ),
        Setting("AGENT_THREADS", "Rounds of the agent that one agent worker runs at a time."),
        Setting(
            "AGENT_PROCESSES",
            "Processes of one agent worker. Each computes on one core, takes 30 MB idle and 100 MB at work, and up to"
            " `MAX_DATABASE_CONNECTIONS` connections.",
            "2 from four cores on, else 1",
        ),
    ),
    "People, mail and the API": (
        Setting("ADMIN_EMAIL", "E-mail address of the admin that the first start creates."),
        Setting("ADMIN_PASSWORD", "Password of that admin."),
        Setting(
            "PASSWORD_SCORE",
            "How hard passwords must be to guess, 0 to 4 as zxcvbn scores them; 3 takes 10⁸ guesses. They also have 12"
            " characters, 5 different ones, and are no common word.",
        ),
        Setting(
            "FIRST_PASSWORD_SCORE",
            "The same for a password that a token of a system admin gives somebody who has never signed in: tools that"
            " make accounts know no better one.",
        ),
        Setting(
            "EMAIL_URL",
            "Mail server for forgotten passwords and invitations: `smtp+tls://user:password@mail.example.com:587`"
            " (STARTTLS), `smtps://…` (TLS from the first byte), `smtp://…` (neither), or `file:///folder` to look at"
            " them. Without one no mail is sent, and admins are shown the links.",
        ),
        Setting(
            "EMAIL_FROM",
            "Sender of mails, such as `DocRouter <docs@example.com>`.",
            "`docrouter@` the host of `PUBLIC_URL`",
        ),
        Setting(
            "HELP_CONTACT",
            "Whom people ask who cannot sign in, such as `Nia Park, nia@example.com`. Anybody can read it.",
            "the names that system admins gave themselves, without their addresses",
        ),
        Setting(
            "CORS_ALLOWED_ORIGINS",
            "Origins whose pages may call `/v0` with a token, such as `https://app.example.com`. `*` alone allows all.",
        ),
        Setting("API_RATE_LIMIT", "Requests to `/v0` per minute and token or session. 0 sets no limit."),
        Setting("API_ADDRESS_RATE_LIMIT", "Requests to `/v0` per minute and address. 0 sets no limit."),
        Setting(
            "RUN_WAIT_SECONDS",
            "How long a request to `/v0` waits for a run or an answer before it says where to look (202), or gives up"
            " a bare model call (504).",
        ),
    ),
    "Models and money": (
        Setting("DEFAULT_MODEL", "Model of the agent and, unless named, of extraction."),
        Setting("EXTRACTION_MODEL", "Model of extraction.", "`DEFAULT_MODEL`"),
        Setting("MODEL_API_BASE", "Address of an OpenAI-compatible server of your own."),
        Setting(
            "EMBEDDING_MODEL",
            "Model of semantic search, such as `text-embedding-3-small` or `ollama/nomic-embed-text`. An organization"
            " may choose its own in its settings. `manage.py reindex --embeddings` adds documents read before.",
        ),
        Setting(
            "LOCAL_PROVIDERS",
            "Providers whose servers are your own, such as `hosted_vllm, openai=no`. The address decides for others.",
        ),
        Setting("MODEL_TIMEOUT_SECONDS", "Time limit of one model call."),
        Setting("MODEL_MAX_TOKENS", "Tokens of one model answer."),
        Setting(
            "MODEL_PRICES",
            "Dollars per million tokens, read/written, of models that litellm's list does not know:"
            " `openai/my-model=0, hosted_vllm/*=0.2/0.6`.",
        ),
        Setting(
            "UNKNOWN_PRICE_MICROS_PER_MTOK",
            "Millionths of a dollar per million tokens, for models whose price nobody has set.",
        ),
        Setting("MONTHLY_BUDGET_USD", "Model calls of an organization per month."),
        Setting("TURN_BUDGET_USD", "Model calls of one turn of the agent."),
        Setting("HEADLESS_BUDGET_USD", "Model calls of one automatic setup."),
        Setting("PROVIDER_CONCURRENCY", "Calls to a provider at a time, such as `8` or `openai=8, anthropic=4`."),
        Setting(
            "MODELS_WITH_PICTURES",
            "Models beside those of the list that take pictures, so that the agent may look at pages, and an extraction"
            " sees those that were read badly. `*` matches anything.",
        ),
        Setting(
            "MODELS_WITH_TOOLS", "Models that call tools although the list says they do not. `*` matches anything."
        ),
        Setting("MODELS_WITHOUT_TOOLS", "Models that call no tools although the list says so. `*` matches anything."),
        Setting(
            "PROVIDER_KEY_SECRET",
            "Seals stored provider keys. Put a new one first, before a comma, to rotate.",
            "`SECRET_KEY`",
        ),
    ),
    "The agent": (
        Setting("TURN_MAX_ROUNDS", "Model calls of one turn."),
        Setting(
            "TURN_LIMIT_SECONDS",
            "Most working time of a turn, also of one about no document. Waiting for a person does not count.",
        ),
        Setting("HEADLESS_MAX_ROUNDS", "Model calls of one automatic setup."),
        Setting("HEADLESS_LIMIT_SECONDS", "Working time of one automatic setup."),
        Setting(
            "WORK_LIMIT_SECONDS",
            "A tool call or an extraction that broke off after so much work over all its tries is given up.",
        ),
        Setting(
            "TOOL_SECONDS",
            "Time limit of a tool that reads by a model. An organization may set its own under Settings, Agent.",
        ),
        Setting(
            "RESEARCH_SECONDS",
            "Time limit of a question about many documents. An organization may set its own under Settings, Agent.",
        ),
        Setting("GETCHUNKS_MAX_DEPTH", "How many references deep `get_chunks` follows parts of files, up to 100."),
        Setting("GETCHUNKS_MAX_TOTAL_CHUNKS", "Parts of files that one call of `get_chunks` answers."),
        Setting(
            "MAX_CREATED_UNASKED",
            "Schemas, prompts and tags that one turn creates without asking, even where mode and rules allow more.",
        ),
        Setting("CONTEXT_TOKENS", "Tokens of a thread that a model is sent. Older rounds are summarized."),
        Setting("CONTEXT_PERCENT", "The same as a percentage of what the model reads, if that is more."),
        Setting("CARD_EXPIRY_DAYS", "A card that nobody decided expires after so long, and nothing runs."),
        Setting("EVENT_DAYS", "How long the events of a thread and finished bulk actions are kept."),
    ),
    "MCP and connected programs": (
        Setting("MCP_WAIT_SECONDS", "How long a request over MCP waits for a person before it answers with a link."),
        Setting(
            "OAUTH_MAX_CLIENTS",
            "Programs that may register themselves. With 0 none may, and only programs that the operator registers"
            " connect.",
        ),
        Setting("OAUTH_CLIENT_DAYS", "How long a registered program that nobody uses is kept."),
        Setting("OAUTH_PER_MINUTE", "Registrations per minute and address. 0 sets no limit."),
        Setting("OAUTH_MAX_DAYS", "A connected program asks its person again after so long, however much it is used."),
        Setting("OAUTH_IDLE_DAYS", "A connected program that was not used for so long asks its person again."),
        Setting(
            "OAUTH_REDIRECT_SCHEMES",
            "Address schemes of programs on a person's own machine that an answer may lead to, beside https and, on"
            " that machine, http.",
        ),
        Setting(
            "OUTSIDE_MCP_SECONDS",
            "Time limit of a conversation with an outside MCP server. An act without an answer by then has an unknown"
            " outcome.",
        ),
        Setting(
            "OUTSIDE_MCP_COMMANDS",
            "MCP servers that a command starts, each with a name: `files=/usr/bin/files-mcp --root /srv;"
            " clock=clock-mcp`. Only a system admin adds one to an organization, in the admin. They run in the agent"
            " worker with its rights.",
        ),
    ),
    "Files and reading": (
        Setting("MAX_UPLOAD_MB", "Size of one file."),
        Setting("MAX_PAGES", "Pages of one document."),
        Setting(
            "READING_LIMIT_SECONDS",
            "Computing time of reading one document. Later pages are not read, and the document says which.",
        ),
        Setting(
            "SOFFICE",
            "LibreOffice, which reads old Word and PowerPoint files (DOC, PPT). Without it they are refused with a"
            " sentence. Debian: `libreoffice-writer-nogui libreoffice-impress-nogui`.",
            "`soffice` on PATH",
        ),
        Setting("MIN_FREE_DISK_MB", "With less free space no file is taken in, reading waits, and `/ready` says no."),
    ),
    "Requests to the outside": (
        Setting(
            "OUTBOUND_PRIVATE_HOSTS",
            "Hosts of your own network that may be asked although their addresses are private, such as"
            " `tools.corp.example, 10.0.0.5:8080`. Nothing outside leads there. Addresses of this machine's link or of"
            " a cloud's metadata stay closed. A certificate authority of your own: `SSL_CERT_FILE`.",
        ),
        Setting("OUTBOUND_PORTS", "Ports that may be asked."),
        Setting("OUTBOUND_PER_MINUTE", "Requests that one organization begins per minute."),
        Setting("OUTBOUND_LOG_DAYS", "How long such requests are listed in the admin."),
    ),
    "What is kept": (
        Setting("TRASH_DAYS", "The trash empties itself after so long. With 0 only a person empties it."),
        Setting("CACHE_DAYS", "How long pictures of pages and PDFs made of documents are kept."),
        Setting("CACHE_MB", "Space they may take."),
        Setting("RESULT_FILE_DAYS", "How long files of results that a job has made can be fetched."),
        Setting("BACKUP_DAYS", "How long copies of SQLite from before an upgrade are kept."),
        Setting(
            "KEEP_REVIEW_TIMES",
            "Whether the time that documents take in review is counted, without names. Admins see the median.",
        ),
    ),
}
