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
    " dwunastu, 14 czternaście czternastu, 15 piętnaście piętnastu, 18 osiemnaście, 20 dwadzieścia dwudziestu,"
    " 30 trzydzieści trzydziestu, 40 czterdzieści, 50 pięćdziesiąt, 60 sześćdziesiąt, 90 dziewięćdziesiąt, 100 sto",
    scales="thousand tysiąc tysiące tysięcy tys, million milion miliony milionów mln, billion miliard miliardy"
    " miliardów mld",
    currencies="EUR euro, USD/CAD/AUD/NZD/SGD/HKD dolary dolarów, PLN zloty złoty złote złotych",
    units="% procent procenta proc, day dzień dni, week tydzień tygodnie tygodni, month miesiąc miesiące miesięcy, year"
    " rok lata lat, hour godzina godziny godzin, minute minuta minuty minut, l litr litry litrów, m metr metry metrów",
    unit_adjectives="pełne pełnych",
    each="na",
    stopwords="jest są nie się i oraz w z ze na do od dla przez czy ile który która które kto kiedy gdzie jak jaki jaka"
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
    pages="strona strony stronie",
    lines="wiersz wiersze",
    page_joiners="z",
    documents="dokument dokumenty dokumentach faktura faktury fakturze umowa umowy umowie",
    sources="źródło źródła zob",
    abbreviations="np tzn",
    numbered="nr poz ust",
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
        "customer": "nabywca, odbiorca, klient, zamawiający",
        "invoice_number": "numer faktury, nr faktury, faktura nr, faktura vat nr, faktura numer",
        "receipt_number": "numer paragonu, nr paragonu",
        "invoice_date": "data wystawienia, data faktury; data",
        "date": "data wystawienia; data",
        "due_date": "termin płatności, termin zapłaty, płatne do",
        "delivery_date": "data dostawy, data sprzedaży, data wykonania usługi",
        "po_number": "numer zamówienia, nr zamówienia, zamówienie nr",
        "customer_number": "numer klienta, nr klienta",
        "tax_id": "nip",
        "iban": "numer rachunku, nr rachunku, numer konta, nr konta",
        "currency": "waluta",
        "subtotal": "wartość netto, razem netto, suma netto",
        "tax_rate": "stawka vat, stawka podatku",
        "tax": "kwota vat, podatek vat, kwota podatku",
        "discount": "rabat, upust",
        "total": "razem do zapłaty, do zapłaty, wartość brutto, kwota brutto, suma brutto; razem, suma",
        "payment_method": "sposób płatności, forma płatności, sposób zapłaty",
        "payment_terms": "warunki płatności",
        "cashier": "kasjer",
    },
    passed_labels={
        "invoice_number": r"termin",
        "invoice_date": r"platnosc|zaplat|dostaw|sprzedaz",
        "date": r"platnosc|zaplat|dostaw|sprzedaz|urodzenia",
        "tax": r"faktura|stawka",
    },
    columns={
        "sku": "kod, kod towaru, indeks, symbol, numer katalogowy",
        "description": "nazwa, nazwa towaru, nazwa towaru lub usługi, nazwa towaru usługi, nazwa usługi, towar,"
        " usługa, opis, wyszczególnienie",
        "quantity": "ilość, liczba, szt, ilość szt",
        "unit": "jm, j m, jednostka, jedn, jednostka miary",
        "unit_price": "cena jednostkowa, cena jedn, cena jednostkowa netto, cena jednostkowa brutto, cena netto,"
        " cena brutto, cena za sztukę, cena szt, stawka, cena",
        "tax_code": "stawka vat, vat, stawka podatku",
        "amount": "wartość, wartość netto, wartość brutto, kwota, kwota netto, kwota brutto, razem, suma",
    },
    label_words="number numer, quantity ilość, amount kwota wartość, tax podatek, total razem suma, date data, invoice"
    " faktura faktury, due termin płatności zapłaty, order zamówienie zamówienia, price cena, description nazwa opis,"
    " customer nabywca odbiorca klient, vendor sprzedawca dostawca, address adres, discount rabat, currency waluta",
    counts="ilosc sztuki",
    carried="z_przeniesienia do_przeniesienia",
    sum_rows="razem suma",
    totals="razem suma do_zapłaty brutto",
    adjustments="podatek *rabat* zaliczka *zapłacono* przedpłata wysyłka",
    table_ends="razem* suma* do_zaplaty*",
    company_forms="sp sp_z_oo sa",
    shops="sklep apteka restauracja hurtownia",
    streets="ul ulica aleja plac",
    address_ends="nip regon",
)
