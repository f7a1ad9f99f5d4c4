"""Polish."""

from printed.language import Language

LANGUAGE = Language(
    code="pl",
    bends_names=True,
    months="styczen stycznia styczniu, luty lutego lutym, marzec marca marcu, kwiecien kwietnia kwietniu, maj maja"
    " maju, czerwiec czerwca czerwcu, lipiec lipca lipcu, sierpien sierpnia sierpniu, wrzesien wrzesnia wrzesniu,"
    " pazdziernik pazdziernika pazdzierniku, listopad listopada listopadzie, grudzien grudnia grudniu",
    weekdays="poniedziałek, wtorek, środa środę, czwartek, piątek, sobota sobotę, niedziela niedzielę",
    year_suffixes="r",
    numbers="1 jeden jedna jedno, 2 dwa dwie dwóch, 3 trzy trzech, 4 cztery czterech, 5 pięć pięciu, 6 sześć sześciu,"
    " 7 siedem siedmiu, 8 osiem ośmiu, 9 dziewięć dziewięciu, 10 dziesięć dziesięciu, 11 jedenaście, 12 dwanaście"
    " dwunastu, 13 trzynaście, 14 czternaście czternastu, 15 piętnaście piętnastu, 16 szesnaście, 17 siedemnaście, 18"
    " osiemnaście, 19 dziewiętnaście, 20 dwadzieścia dwudziestu, 30 trzydzieści trzydziestu, 40 czterdzieści, 50"
    " pięćdziesiąt, 60 sześćdziesiąt, 70 siedemdziesiąt, 80 osiemdziesiąt, 90 dziewięćdziesiąt, 100 sto, 200 dwieście,"
    " 300 trzysta, 400 czterysta, 500 pięćset, 600 sześćset, 700 siedemset, 800 osiemset, 900 dziewięćset",
    positions="1 pierwszy pierwsza pierwsze pierwszą, 2 drugi druga drugie drugą, 3 trzeci trzecia trzecie trzecią,"
    " 4 czwarty czwarta czwarte czwartą, 5 piąty piąta piąte piątą",
    latest="ostatni ostatnia ostatnie ostatnią najnowszy najnowsza najnowsze najnowszą",
    earliest="najstarszy najstarsza najstarsze najstarszą",
    pointers="ten ta tę tego tej tamten tamta",
    definitions="schema schemat schematu, prompt prompt, tag etykieta etykiety etykietę",
    minus="minus",
    minor_units="grosz grosze groszy",
    number_joiners="i",
    scales="thousand tysiąc tysiące tysięcy tys, million milion miliony milionów mln, billion miliard miliardy"
    " miliardów mld",
    currencies="EUR euro, USD/CAD/AUD/NZD/SGD/HKD dolary dolarów, PLN zloty złoty złote złotych",
    units="% procent procenta proc, day dzień dni, week tydzień tygodnie tygodni, month miesiąc miesiące"
    " miesięcy, year"
    " rok lata lat, hour godzina godziny godzin, minute minuta minuty minut, l litr litry litrów, m metr"
    " metry metrów",
    unit_adjectives="pełne pełnych",
    each="na",
    stopwords="jest są nie się i oraz w z ze na do od dla przez czy ile który która które kto kiedy gdzie jak"
    " jaki jaka"
    " jakie",
    yes="tak",
    no="nie",
    negations="nie nigdy żaden żadna bez",
    denials="odmów odmaw odrzuc wyklucz brak",
    limits="tylko później wcześniej",
    exceptions="przed oprócz",
    more="wzros zwiększ podwyż",
    less="spad zmniejsz obniż",
    minimum="co_najmniej przynajmniej więcej_niż ponad",
    maximum="najwyżej maksymalnie mniej_niż poniżej",
    minimum_behind="lub_więcej",
    maximum_behind="lub_mniej",
    terms="płat* zapłat* termin* przelew*",
    pages="strona strony stronie",
    lines="wiersz wiersze",
    rows="pozycja pozycji pozycję wiersza wierszu rząd",
    beside_rows="pod nad obok przed po",
    row_joiners="do",
    list_joiners="i",
    page_joiners="z",
    documents="dokument dokumenty dokumentach faktura faktury fakturze umowa umowy umowie",
    sources="źródło źródła zob",
    offers="czy_mam czy_mogę czy_chcesz czy_chce",
    suggestions="mogę mógłbym mogłabym możesz możecie może_pan może_pani możemy proponuję sugeruję jeśli_chcesz",
    examples="takie_jak taki_jak taką_jak jak na_przykład np o_nazwie",
    abbreviations="np tzn",
    numbered="nr poz ust",
    clauses="artykuł załącznik",
    kinds={
        "Receipt": "paragon fiskalny",
        "Credit note": "faktura korygująca, nota korygująca",
        "Invoice": "faktura",
        "Purchase order": "zamówienie",
        "Delivery note": "dokument wz, wydanie zewnętrzne",
        "Quote": "oferta",
        "Statement": "wyciąg",
        "Contract": "umowa",
    },
    till_words="paragon_fiskalny",
    fields={
        "vendor": "sprzedawca, wystawca, dostawca",
        "address": "adres",
        "customer": "nabywca, odbiorca, klient, zamawiający, płatnik",
        "invoice_number": "numer faktury, nr faktury, faktura nr, faktura vat nr, faktura numer, faktura vat numer,"
        " faktura proforma nr, faktura zaliczkowa nr, numer dokumentu, nr dokumentu; faktura vat,"
        " faktura",
        "receipt_number": "numer paragonu, nr paragonu",
        "credit_note_number": "faktura korygująca nr, numer korekty; faktura korygująca",
        "invoice_date": "data wystawienia faktury, data wystawienia, wystawiono dnia, data faktury, data"
        " dokumentu, wystawiona; data, z dnia",
        "date": "data wystawienia; data",
        "due_date": "termin płatności, termin zapłaty, data płatności, płatne do, płatne do dnia, zapłacić do; termin",
        "delivery_date": "data dostawy, data sprzedaży, data wykonania usługi, data dostawy/wykonania usługi",
        "order_date": "data zamówienia",
        "po_number": "numer zamówienia, nr zamówienia, zamówienie nr, zamówienie numer",
        "customer_number": "numer klienta, nr klienta, kod klienta",
        "tax_id": "nip",
        "registration_number": "regon, krs",
        "iban": "numer rachunku, nr rachunku, numer konta, nr konta, rachunek bankowy, konto",
        "currency": "waluta",
        "subtotal": "wartość netto, razem netto, suma netto, łącznie netto, kwota netto, ogółem netto",
        "tax_rate": "stawka vat, stawka podatku",
        "tax": "kwota vat, podatek vat, kwota podatku, razem vat, suma vat, wartość vat",
        "discount": "rabat, upust",
        "shipping": "koszt dostawy, koszty wysyłki, wysyłka",
        "total": "razem do zapłaty, pozostało do zapłaty, suma do zapłaty, kwota do zapłaty, do zapłaty,"
        " wartość brutto, kwota brutto, suma brutto, razem brutto, łącznie brutto, należność ogółem,"
        " kwota należności, ogółem brutto;; razem, suma, suma pln, łącznie, ogółem",
        "amount_paid": "zapłacono, wpłacono, zaliczka",
        "payment_method": "sposób płatności, forma płatności, sposób zapłaty, forma zapłaty, metoda płatności; sposób",
        "payment_terms": "warunki płatności",
        "cashier": "kasjer",
        "phone": "telefon",
    },
    passed_labels={
        "customer": r"numer|\bnr\b|kod|obslug|podpis|zamowien",
        "invoice_number": r"termin|\bdata|kwota|do faktury|do zaplaty|korygujaca|wystaw|metoda",
        "invoice_date": r"platnosc|zaplat|dostaw|sprzedaz|zamowien|wykonan|urodz",
        "date": r"platnosc|zaplat|dostaw|sprzedaz|urodzenia|zamowien",
        "tax": r"faktura|stawka|netto|brutto|\bnr\b",
        "tax_rate": r"faktura",
        "total": r"netto(?! a pagare)|rabat|przeniesien|slownie|ilosc",
        "subtotal": r"cena",
        "tax_id": r"nabywc|odbiorc|klient",
    },
    columns={
        "position": "lp, l p, poz, nr",
        "sku": "kod, kod towaru, indeks, symbol, kod produktu, numer katalogowy",
        "description": "nazwa towaru lub usługi, nazwa towaru usługi, nazwa towaru/usługi, nazwa towaru, nazwa"
        " usługi, nazwa, opis, towar, usługa, towar lub usługa, wyszczególnienie",
        "quantity": "ilość, liczba, ilość szt, szt",
        "unit": "jm, j m, jednostka, jedn, miara, jednostka miary",
        "unit_price": "cena jednostkowa netto, cena jednostkowa, cena jedn, cena jedn netto, cena netto, cena j"
        " netto, cena, cena jednostkowa brutto, cena brutto, cena za sztukę, cena szt, stawka",
        "discount": "rabat, rabat %",
        "tax_code": "stawka vat, stawka, vat %, vat, % vat, stawka podatku",
        "tax": "kwota vat, wartość vat",
        "amount": "wartość netto, kwota netto, netto, wartość, kwota, razem, suma; wartość brutto, kwota"
        " brutto, brutto",
    },
    label_words="number numer, quantity ilość, amount kwota wartość, tax podatek, total razem suma, date"
    " data, invoice"
    " faktura faktury, due termin płatności zapłaty, order zamówienie zamówienia, price cena, description nazwa opis,"
    " customer nabywca odbiorca klient, vendor sprzedawca dostawca, address adres, discount rabat, currency waluta",
    counts="ilosc sztuki",
    carried="z_przeniesienia do_przeniesienia",
    sum_rows="razem suma",
    totals="razem suma do_zapłaty brutto",
    adjustments="podatek *rabat* zaliczka *zapłacono* przedpłata wysyłka",
    table_ends="razem* suma* do_zaplaty* ogolem* vat",
    company_forms="sp sp_z_oo sa sp_j",
    shops="sklep apteka restauracja hurtownia",
    streets="ul ulica aleja plac",
    address_ends="nip regon",
)
