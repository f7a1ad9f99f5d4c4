"""Languages by the letters that they have beside the Latin ones, and how well a text fits them."""

import re
from collections import Counter

# A character of the ordinary ones beside those that are met in business papers.
ORDINARY = 0.6
SIGNS = frozenset("“”„‘’‚«»‹›–—…€£§°•·№®©™²³¹µ½¼¾±×¤£¿¡ºªØ\xa0、。「」・（）：；，！？￥％《》【】〜～")
# A sign between letters is a letter of another encoding; so is a letter of another alphabet beside a Latin one.
# So are a quotation mark inside a word, a last letter in its middle, and an ordinal sign behind a word.
BROKEN = re.compile(
    r"[£¥¢³²¹¼½¾¦¨©®¬±§¤](?=[^\W\d_])|[A-Za-z](?=[\u0370-\u1fff])|[\u0370-\u1fff](?=[A-Za-z£¥¢³²¹¼½¾¦¨©®¬±§¤])"
    r"|[^\W\d_][„‚“”‹›†‡ˆ‰˜•](?=[^\W\d_])|ς(?=[α-ω])|[ךםןףץ](?=[א-ת])|[a-zã]{2}[ºª]|[^\W\d_][±¶¦¬]"
)
OTHERS = re.compile("[^\0-\x7f\ufffd]")
# Pairs of letters of which one is beside ASCII; those within ASCII are the same in all encodings.
PAIRS = re.compile(r"(?=([^\W\d_][^\0-\x7f]|[^\0-\x7f][^\W\d_]))")
LONE = re.compile(r"(?<![\u0370-\u1fff\u2e80-\ufffc])[\u0370-\u1fff\u2e80-\ufffc](?![\u0370-\u1fff\u2e80-\ufffc])")

# The letters beside the Latin ones by language, the common ones first, and after a space the others.
WESTERN = ("äöüß", "éèàçêôîâùûœëï", "áéíóúñü", "áéíóúæöð ýþ", "ãçáéõíóúâêô", "àèéìòù", "åäöé", "æøåé", "ëïéèü")
CENTRAL = ("łąęśżóćńź", "íáéěřšžčýůúďťňó", "áéíöóőüúű", "čšžćđ", "ăâîșțşţ", "áčíéýžšťľúďňôäĺŕó")
CYRILLIC = ("оеаинтсрвлкмдпу ягзыбьйчхжцшщюэфёъ", "оаніирвтеслкудм пзяьбгйчхцїюжшщєґф")
GREEK = ("ατοιενρσκηπςυμλίόάγέδή ωχθύώφβξζψϊϋΐΰ",)
TURKISH = ("ıüşğçöİ",)
ARABIC = ("اليمونرتبةعدسفه كقأحجشطصىخإذثئضظءآؤغ؟،",)
HEBREW = ("יוהלרבתמאשנעםדקחפסכגטצןזךףץ",)
BALTIC = ("ėįšųūžčąę", "āēīūšžčļņķģ", "õäöüšž")
THAI = ("านรอกเงมยลวดทสตะปบคหแ จพชขใไโิีึืุู่้๊๋์็ัำธผฟซฝภญณถฐศษฆฉฌฏฎฑฒฬฮๆฯ",)
SINGLE = {
    "cp1252": WESTERN,
    "cp1250": CENTRAL,
    "cp1251": CYRILLIC,
    "koi8-u": CYRILLIC,
    "cp1254": TURKISH,
    "cp1253": GREEK,
    "cp1257": BALTIC,
    "cp866": CYRILLIC,
    "iso8859-5": CYRILLIC,
    "iso8859-2": CENTRAL,
    "cp1256": ARABIC,
    "cp1255": HEBREW,
    "cp874": THAI,
    "cp850": WESTERN,
}
KANA = range(0x3041, 0x30FF)
JAPANESE = frozenset(
    "日月年金額書号番請求会社株式東京名品数量単価合計税小円支払先様住所電話者本社商事大中国一二三人口座銀行納期"
)
CHINESE = frozenset(
    "的一是不了在人有我他这中大来上国和地到说时要就出会可也你对生能子那得于着下自之年过发后作里用道行所然家种事成方"
    "公司票号码金额日期数量单价总计合同税客户名称地址电话贸易限上海北京市编买卖付款银行账"
)
TRADITIONAL = frozenset(
    "的一是不了在人有我他這個中大來上國和地到說時要就出會可也你對生能子那得於著下自之年過發後作裡用道行所然家種事成方"
    "公司票號碼金額日期數量單價總計合約稅客戶名稱地址電話貿易限臺台北市編買賣付款銀行帳"
)
KOREAN = frozenset(
    "이다에의는로하을가고지서한은기년대사시를리도인스일금액합계세산번호자청구품명수량단공급부주식회상성소전화원"
)
DOUBLE: dict[str, tuple[frozenset[str], range]] = {
    # With the first bytes of the characters that are met in ordinary texts.
    "cp932": (JAPANESE, range(0x88, 0x98)),
    "euc_jp": (JAPANESE, range(0xB0, 0xD0)),
    "gb18030": (CHINESE, range(0xB0, 0xD8)),
    "big5hkscs": (TRADITIONAL, range(0xA4, 0xC7)),
    "cp949": (KOREAN, range(0xB0, 0xC9)),
}


def rate(text: str, encoding: str) -> float:
    """Rate how well the letters of a text that was read in an encoding fit a language that is written in it."""
    others = Counter(OTHERS.findall(text))
    worth = rate_characters(others, encoding) if encoding in DOUBLE else rate_letters(others, SINGLE[encoding])
    return float(worth - count_oddities(text, encoding)) / max(1, others.total())


def rate_letters(others: Counter[str], languages: tuple[str, ...]) -> float:
    """Rate the letters beside ASCII as those of the language that they fit best."""
    return max(
        sum(number * rate_letter(each, *language.partition(" ")[::2]) for each, number in others.items())
        for language in languages
    )


def count_oddities(text: str, encoding: str) -> float:
    """A capital behind a small letter speaks against it too."""
    if encoding in DOUBLE:
        return 0.5 * len(LONE.findall(text))
    flips: int = sum(pair[0].islower() and pair[1].isupper() for pair in PAIRS.findall(text))
    return flips + 1.5 * len(BROKEN.findall(text)) + 0.5 * len(LONE.findall(text))


def rate_letter(letter: str, common: str, rare: str) -> float:
    small = letter.lower()
    if letter in SIGNS:
        return 0.9
    if letter in common or small in common:
        return 1.0 if letter in common else 0.8
    if small in rare:
        return 0.6 if small == letter else 0.4
    return -1.0 if letter.isalpha() else -2.0


def rate_characters(others: Counter[str], encoding: str) -> float:
    common, leads = DOUBLE[encoding]
    return sum(number * rate_character(each, encoding, common, leads) for each, number in others.items())


def rate_character(each: str, encoding: str, common: frozenset[str], leads: range) -> float:
    if each in common or (common is JAPANESE and ord(each) in KANA):
        return 1.0
    if each in SIGNS:
        return 0.5
    if "\uff61" <= each <= "\uff9f":
        return 0.4
    return ORDINARY if each.encode(encoding, "replace")[0] in leads else -1.0
