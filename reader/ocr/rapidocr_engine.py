"""rapidocr with the models that its wheel carries: no network, one thread. Imported when first needed."""

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import rapidocr
from PIL import Image
from rapidocr import EngineType, RapidOCR
from rapidocr.utils.process_img import map_boxes_to_original

from kit.json_types import JsonObject
from reader.ocr.lines import OcrLine, Point
from reader.ocr.word_boxes import make_line

MODELS = Path(rapidocr.__file__).parent / "models"
SETTINGS: JsonObject = {
    "Global.use_cls": False,
    "Global.log_level": "critical",
    "Global.return_word_box": True,
    "Det.engine_type": EngineType.ONNXRUNTIME,
    "Det.model_path": str(MODELS / "PP-OCRv6_det_small.onnx"),
    "Det.limit_type": "max",
    "Det.limit_side_len": 1280,
    "Rec.engine_type": EngineType.ONNXRUNTIME,
    "Rec.model_path": str(MODELS / "PP-OCRv6_rec_small.onnx"),
    "Rec.rec_batch_num": 1,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
}


class ObservedOcr(RapidOCR):  # type: ignore[misc]
    """Remembers the lines in which nothing was recognized, which its answer leaves out."""

    def build_final_output(self, image: Any, detected: Any, turned: object, recognized: Any, *others: object) -> object:
        self.silent: list[object] = []
        if detected.boxes is not None and recognized.txts is not None:
            pairs = zip(detected.boxes, recognized.txts, strict=False)
            boxes = [box for box, text in pairs if not text.strip()]
            height, width = image.shape[:2]
            if boxes:
                self.silent = list(map_boxes_to_original(np.array(boxes), others[-1], height, width))
        return super().build_final_output(image, detected, turned, recognized, *others)


class RapidOcrRecognizer:
    def __init__(self) -> None:
        cv2.setNumThreads(1)
        self.engine = ObservedOcr(params=SETTINGS)

    def find_lines(self, picture: Image.Image) -> list[OcrLine]:
        pixels = np.ascontiguousarray(np.asarray(picture.convert("RGB"))[:, :, ::-1])
        try:
            result = self.engine(pixels)
        except IndexError:
            # rapidocr 3.10 drops lines without word boxes from one of its lists only, and then runs off its end.
            result = self.engine(pixels, return_word_box=False)
        silent = [OcrLine("", 0.0, make_quad(box), []) for box in self.engine.silent]
        if result.boxes is None or result.txts is None:
            return silent
        pieces = result.word_results if len(result.word_results) == len(result.txts) else [()] * len(result.txts)
        return silent + [
            make_line(text, float(score), make_quad(quad), line_pieces)
            for text, score, quad, line_pieces in zip(result.txts, result.scores, result.boxes, pieces, strict=True)
        ]


def make_quad(corners: Any) -> list[Point]:
    return [(float(x), float(y)) for x, y in corners]
