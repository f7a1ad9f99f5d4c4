"""The parent's side of reading: a pool of reader processes, each of which may be killed at any moment."""

import atexit
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from typing import cast

from kit.cleanup import on_failure
from kit.errors import AppError, Upstream
from kit.fair_places import FairPlaces
from kit.json_types import JsonObject
from reader import frames
from reader.frames import EngineChoice, ImageFormat, Rotation
from reader.pool.answers import Inspection, PageReading, PageSize, Rendering, make_gaps, make_page
from reader.pool.process import (
    LOW_PRIORITY,
    ComputingTime,
    FileSource,
    Question,
    ReaderProcess,
    get_answer,
    open_file,
)
from reader.pool.refusals import ReaderDied, make_refusal

log = logging.getLogger(__name__)
PAGES_BEFORE_RECYCLING = 200
MAX_BYTES = 100 * 1000 * 1000
MAX_PAGES = 500
MAX_PIXELS = 60_000_000
# By the clock, for readers that stand still. A file's bound is computing time, which a reader's own limits count,
# so these are no limit for an honest file on a machine that is merely busy.
INSPECT_SECONDS = 60.0
RENDER_SECONDS = 60.0
PDF_SECONDS = 90.0
# Less than a reading's lease.
READ_SECONDS = 60.0
READ_SECONDS_A_PAGE = 90.0
# For a free reader, where somebody looks at the answer.
WAIT_SECONDS = 20.0
NONE_FREE = "Others have their documents drawn at this moment. Try again in a few seconds."


class ReaderPool:
    """At most `size` readers. A `group` waits for one in turn with others, for WAIT_SECONDS at most (Busy)."""

    def __init__(self, size: int, *, niceness: int = 0) -> None:
        self.size, self.niceness = size, niceness
        self.idle: list[ReaderProcess] = []
        self.lock, self.places = threading.Lock(), FairPlaces(size, refusal=NONE_FREE)
        self.closed = False
        # A child's death signal is tied to the thread that started it, so that thread has to live as long as the pool.
        self.starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader-starter")

    def inspect(
        self,
        file: FileSource,
        *,
        password: str | None = None,
        encoding: str = "",
        max_pages: int = MAX_PAGES,
        max_bytes: int = MAX_BYTES,
        seconds: float = INSPECT_SECONDS,
        time: ComputingTime | None = None,
        group: str = "",
        fresh: bool = False,
    ) -> Inspection:
        """Kind and page sizes. Like all here raises Invalid, TooLarge or Upstream with one sentence.

        `time` is added to, whatever the outcome.
        """
        request = make_request("inspect", password, max_pages, max_bytes, encoding)
        header, _ = self.ask(request, file, pages=1, seconds=seconds, time=time, group=group, fresh=fresh)
        reply = cast(frames.InspectReply, header)
        sizes = [PageSize(*size) for size in reply["sizes"]]
        return Inspection(reply["kind"], sizes, make_gaps(reply["gaps"]), reply["has_parts"])

    def read(
        self,
        file: FileSource,
        pages: Sequence[int],
        *,
        engine: EngineChoice = "auto",
        password: str | None = None,
        encoding: str = "",
        max_pages: int = MAX_PAGES,
        max_bytes: int = MAX_BYTES,
        seconds: float | None = None,
        time: ComputingTime | None = None,
        fresh: bool = False,
    ) -> list[PageReading]:
        """The given pages, counted from 1. Give slices of a few pages: the deadline covers the whole slice."""
        general = make_request("read", password, max_pages, max_bytes, encoding)
        request: frames.ReadRequest = {**general, "pages": list(pages), "engine": engine}
        seconds = seconds or READ_SECONDS + READ_SECONDS_A_PAGE * len(pages)
        header, _ = self.ask(request, file, pages=len(pages), seconds=seconds, time=time, fresh=fresh)
        return [make_page(page) for page in cast(frames.ReadReply, header)["pages"]]

    def read_text(
        self,
        file: FileSource,
        pages: Sequence[int],
        *,
        milliseconds: int,
        engine: EngineChoice = "auto",
        password: str | None = None,
        encoding: str = "",
        max_pages: int = MAX_PAGES,
        max_bytes: int = MAX_BYTES,
        time: ComputingTime | None = None,
        fresh: bool = False,
    ) -> list[PageReading]:
        """The first of the given pages, and those after it for which so many milliseconds of computing last.

        Without an engine and words those whose text has to be recognized.
        """
        general = make_request("read_text", password, max_pages, max_bytes, encoding)
        request: frames.TextRequest = {**general, "pages": list(pages), "engine": engine, "milliseconds": milliseconds}
        seconds = READ_SECONDS + READ_SECONDS_A_PAGE
        header, _ = self.ask(request, file, pages=len(pages), seconds=seconds, time=time, fresh=fresh)
        return [make_page(page) for page in cast(frames.ReadReply, header)["pages"]]

    def render(
        self,
        file: FileSource,
        page: int,
        width: int,
        *,
        rotation: Rotation = 0,
        image_format: ImageFormat = "webp",
        password: str | None = None,
        encoding: str = "",
        as_lines: bool = False,
        max_pages: int = MAX_PAGES,
        max_bytes: int = MAX_BYTES,
        seconds: float = RENDER_SECONDS,
        group: str = "",
    ) -> Rendering:
        """A picture of the page, `width` pixels wide once turned. `as_lines`: it was read as plain text."""
        general = make_request("render", password, max_pages, max_bytes, encoding)
        request: frames.RenderRequest = {
            **general,
            "as_lines": as_lines,
            "page": page,
            "width": width,
            "rotation": rotation,
            "format": image_format,
        }
        header, data = self.ask(request, file, pages=1, seconds=seconds, group=group)
        reply = cast(frames.RenderReply, header)
        return Rendering(data, f"image/{image_format}", reply["width"], reply["height"])

    def pdf(
        self,
        file: FileSource,
        *,
        encoding: str = "",
        max_pages: int = MAX_PAGES,
        max_bytes: int = MAX_BYTES,
        seconds: float = PDF_SECONDS,
        group: str = "",
    ) -> bytes:
        """A PDF of the pictures of all pages, for files that are none."""
        request = make_request("pdf", None, max_pages, max_bytes, encoding)
        _, data = self.ask(request, file, pages=1, seconds=seconds, group=group)
        return data

    def close(self) -> None:
        """Ends idle readers now, busy ones as soon as they answer."""
        with self.lock:
            self.closed = True
            idle, self.idle = self.idle, []
        for process in idle:
            process.kill()
        self.starter.shutdown(wait=False)

    def ask(
        self,
        request: frames.Request,
        file: FileSource,
        *,
        pages: int,
        seconds: float,
        time: ComputingTime | None = None,
        group: str = "",
        fresh: bool = False,
    ) -> tuple[JsonObject, bytes]:
        """Where a reader dies of the file, a fresh one is asked once more, in what is left of the seconds.

        What a reader dies of may be its own past, or a busy machine. `fresh`: none that has read other files before.
        """
        place = self.places.take(group, WAIT_SECONDS if group else None)
        with open_file(file) as descriptor, place:
            question = Question(request, descriptor, pages, seconds, time or ComputingTime())
            try:
                return self._ask_reader(question, fresh=fresh)
            except ReaderDied as death:
                if question.seconds_left <= 0:
                    raise death.refusal from death
                log.info("a fresh reader is asked for what one died of: %s", death)
            try:
                return self._ask_reader(question, fresh=True)
            except ReaderDied as death:
                raise death.refusal from death

    def _ask_reader(self, question: Question, *, fresh: bool) -> tuple[JsonObject, bytes]:
        """Raises ReaderDied and what the reader answers as a failure."""
        with self.borrow(fresh=fresh) as process:
            has_past = process.pages > 0
            process.pages += question.pages
            header, body = get_answer(process, question)
            if "error" in header:
                refusal = make_refusal(cast(frames.FailureReply, header))
                if header["suspect"]:
                    process.kill()
                raise ReaderDied(refusal) if header["suspect"] and has_past else refusal
            return header, body

    @contextmanager
    def borrow(self, *, fresh: bool = False) -> Iterator[ReaderProcess]:
        process = self.take(fresh=fresh)
        try:
            # Interrupted between request and reply: its next reply would answer the wrong request.
            with on_failure(process.kill, but=AppError):
                yield process
        except AppError:
            self.put_back(process)
            raise
        self.put_back(process)

    def take(self, *, fresh: bool = False) -> ReaderProcess:
        with self.lock:
            if self.closed:
                raise Upstream("Reading has been shut down.")
            while self.idle and not fresh:
                process = self.idle.pop()
                if process.child.poll() is None:
                    return process
                process.kill()
        return self.starter.submit(ReaderProcess, self.niceness).result()

    def put_back(self, process: ReaderProcess) -> None:
        spent = process.pages >= PAGES_BEFORE_RECYCLING or process.child.poll() is not None
        with self.lock:
            # Fresh ones were started beside those that were idle.
            if not spent and not self.closed and len(self.idle) < self.size:
                self.idle.append(process)
                return
        process.kill()


def make_request(
    do: frames.Task, password: str | None, max_pages: int, max_bytes: int, encoding: str = ""
) -> frames.Request:
    return {
        "do": do,
        "password": password,
        "max_pages": max_pages,
        "max_bytes": max_bytes,
        "max_pixels": MAX_PIXELS,
        "encoding": encoding,
    }


@lru_cache(maxsize=1)
def get_pool() -> ReaderPool:
    """For what is quick: texts and pictures of pages. A reader for every two cores."""
    return _start_pool(max(1, (os.cpu_count() or 1) // 2))


@lru_cache(maxsize=1)
def get_ocr_pool(size: int) -> ReaderPool:
    """For recognizing, which takes whatever the rest of the machine leaves."""
    return _start_pool(size, niceness=LOW_PRIORITY)


@lru_cache(maxsize=1)
def get_pdf_pool() -> ReaderPool:
    """Whole documents take a minute each, and pictures of single pages must not wait for that."""
    return _start_pool(1)


def _start_pool(size: int, *, niceness: int = 0) -> ReaderPool:
    pool = ReaderPool(size, niceness=niceness)
    atexit.register(pool.close)
    return pool
