"""Words of languages that have no table of their own: Czech, Swedish, Danish, Norwegian, Malay and more; months of
Arabic, Hindi and Thai; eras of Japan and Taiwan."""

from printed.language import Language

LANGUAGE = Language(
    code="",
    bends_names=True,
    eras="1867 明治 ㍾, 1911 大正 ㍽ 民國 民国 中華民國 中华民国,"
    " 1925 昭和 昭 ㍼ S, 1988 平成 平 ㍻ H, 2018 令和 令 ㋿ R",
    months="januar leden ledna يناير जनवरी มกราคม ม.ค"
    ", februar unor unora فبراير फरवरी กุมภาพันธ์ ก.พ"
    ", mrt mars marts brezen brezna مارس मार्च มีนาคม มี.ค"
    ", april duben dubna ابريل अप्रैल เมษายน เม.ย"
    ", maj maja kveten kvetna مايو मई พฤษภาคม พ.ค"
    ", juni cerven cervna يونيو जून มิถุนายน มิ.ย"
    ", juli cervenec cervence يوليو जुलाई กรกฎาคม ก.ค"
    ", august augusti srpen srpna اغسطس अगस्त สิงหาคม ส.ค"
    ", september zari سبتمبر सितंबर กันยายน ก.ย"
    ", okt oktober rijen rijna اكتوبر अक्टूबर ตุลาคม ต.ค"
    ", november listopadu نوفمبر नवंबर พฤศจิกายน พ.ย"
    ", dec december prosinec prosince ديسمبر दिसंबर ธันวาคม ธ.ค",
    weeks="vecka v. uge uke tyden",
    quarters="kvartal ctvrtleti",
    date_joiners="พ.ศ. b.e.",
    scales="million milion, billion miliard",
    currencies="SEK/NOK/DKK/CZK kronor kroner",
    units="% procent, day dag",
    stopwords="na která který které je že podle ve kdo kdy kde jak jsou och är det på att og ikke",
    terms="netto betalning* betaling* förfall* forfald* splatn* maksu* fizet* bayaran* ödeme*",
    pages="side sida strana sivu oldal",
    page_joiners="av af z",
    columns={
        "sku": "artikelnummer, art nr, varenummer, varenr, kode, tuotenumero, kod produktu, číslo zboží",
        "description": "beskrivning, benämning, beskrivelse, varebeskrivelse, vare, tekst, text, popis, název,"
        " označení, kuvaus, tuote, megnevezés, keterangan, perihal, açıklama, ürün",
        "quantity": "antal, antall, mängd, mængde, počet, množství, määrä, kpl, mennyiség, kuantiti, bil,"
        " miktar, adet, jumlah unit",
        "unit": "enhet, enhed, jednotka, mj, yksikkö, egység, birim",
        "unit_price": "styckpris, à pris, a pris, pris per st, pris per styck, enhetspris, stykpris, stk pris,"
        " pris pr stk, enhedspris, pris, cena za jednotku, cena za kus, jednotková cena, cena mj,"
        " yksikköhinta, a hinta, hinta, egységár, harga seunit, harga unit, harga, birim fiyat,"
        " birim fiyatı",
        "tax_code": "moms, mva, dph, alv, áfa, kdv, cukai",
        "amount": "belopp, summa, totalt, radsumma, beløb, beløp, sum, i alt, pris i alt, celkem, cena"
        " celkem, částka, yhteensä, summa alv, összesen, érték, amaun, jumlah, jumlah harga, tutar,"
        " toplam",
    },
    label_words="number numer",
    totals="jumlah celkem",
    adjustments="dph",
    company_forms="sro as oy ab sdn_bhd bhd s/b",
    shops="restoran kedai syarikat",
    streets="jalan jln taman lebuh",
)
