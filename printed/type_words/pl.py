"""Polish words by which types of documents are told."""

from printed.type_words.table import TypeWords

WORDS = TypeWords(
    titles={
        "invoice": "faktura, faktura vat, faktura nr, faktura końcowa, faktura zaliczkowa, rachunek, rachunek nr,"
        " faktura sprzedaży, faktura vat nr, duplikat faktury, faktura rozliczeniowa, rachunek uproszczony",
        "receipt": "paragon, paragon fiskalny, kp, pokwitowanie, potwierdzenie wpłaty, kasa przyjmie, dowód wpłaty,"
        " kopia klienta, potwierdzenie płatności, kp kasa przyjmie, kwit, potwierdzenie transakcji,"
        " potwierdzenie zapłaty, paragon niefiskalny, pokwitowanie zapłaty, wydruk z terminala,"
        " potwierdzenie odbioru gotówki",
        "credit note": "faktura korygująca, korekta, korekta faktury, nota kredytowa, nota uznaniowa,"
        " faktura vat korygująca, korekta nr, faktura korekta, nota korygująca",
        "order": "zamówienie, potwierdzenie zamówienia, zlecenie, zlecenie zakupu, zamówienie nr,"
        " formularz zamówienia, zamówienie zakupu, zlecenie nr, zamówienie do dostawcy, przyjęcie zamówienia",
        "delivery note": "wz, dowód dostawy, list przewozowy, wydanie zewnętrzne, specyfikacja wysyłkowa,"
        " list przewozowy cmr, wydanie z magazynu, dokument wz, wz nr, specyfikacja dostawy, dowód wydania,"
        " protokół dostawy, awizo dostawy, lista pakowa, packing list, pz, przyjęcie zewnętrzne,"
        " wz wydanie zewnętrzne, dokument dostawy",
        "contract": "umowa, umowa o pracę, umowa najmu, umowa zlecenie, umowa o dzieło, aneks, umowa sprzedaży,"
        " umowa pożyczki, umowa o zachowaniu poufności, porozumienie, umowa ramowa, umowa zlecenia, aneks nr,"
        " umowa dzierżawy, umowa o współpracy, umowa serwisowa, umowa o świadczenie usług, umowa kredytu, umowa nr,"
        " umowa użyczenia, porozumienie o, aneks do umowy, umowa o roboty budowlane",
        "statement": "wyciąg, wyciąg z rachunku, wyciąg bankowy, zestawienie operacji, potwierdzenie salda,"
        " wyciąg z karty, historia rachunku, wyciąg z konta, zestawienie transakcji, wyciąg nr,"
        " rozrachunki z kontrahentem, uzgodnienie salda, wyciąg z karty kredytowej, stan rachunku,"
        " zestawienie rozrachunków, wyciąg z konta dostawcy",
        "payslip": "pasek wynagrodzeń, pasek wypłaty, pasek płacowy, lista płac, odcinek wypłaty, pasek,"
        " rozliczenie wynagrodzenia, pasek wynagrodzenia, pasek płac, odcinek wynagrodzenia, karta wynagrodzeń,"
        " kwitek wypłaty, lista płac pasek",
        "letter": "wezwanie, wezwanie do zapłaty, ostateczne wezwanie do zapłaty, upomnienie, pismo, dotyczy,"
        " przypomnienie, przypomnienie o płatności, monit, wypowiedzenie, fw, pd, odp,"
        " przedsądowe wezwanie do zapłaty, zawiadomienie, zaproszenie na,"
        " ostateczne przedsądowe wezwanie do zapłaty, odwołanie",
        "form": "wniosek, formularz, zgłoszenie, deklaracja, oświadczenie, ankieta, zgłoszenie szkody, zeznanie,"
        " karta zgłoszenia, upoważnienie, polecenie zapłaty, podanie, wniosek o, kwestionariusz,"
        " formularz zgłoszeniowy, zgoda, zgłoszenie szkody komunikacyjnej, karta zgłoszeniowa, zeznanie podatkowe,"
        " wniosek urlopowy, zgoda na polecenie zapłaty, polecenie wyjazdu służbowego, pełnomocnictwo,"
        " deklaracja członkowska, oświadczenie sprawcy, formularz reklamacyjny, rozliczenie kosztów podróży",
        "report": "rejestr, lista, księga, ewidencja, spis, ewidencja faktur, rejestr faktur zakupu,"
        " inwentaryzacja, raport, sprawozdanie, protokół, protokół z zebrania, analiza, zestawienie,"
        " zestawienie faktur, notatka, raport miesięczny, protokół z kontroli, notatka służbowa, rejestr faktur,"
        " raport kasowy, raport z audytu, ocena, rejestr sprzedaży, protokół z posiedzenia, raport sprzedaży,"
        " opinia, raport roczny, wykaz faktur, rejestr zakupów, lista faktur, protokół z przeglądu,"
        " sprawozdanie z badań, podsumowanie, raport kwartalny, wiekowanie należności, struktura wiekowa, badanie,"
        " ekspertyza, wykaz",
        "identity paper": "dowód osobisty, paszport, prawo jazdy, karta pobytu, legitymacja, akt urodzenia,"
        " zezwolenie na pobyt, dokument podróży, legitymacja służbowa, legitymacja studencka, dokument tożsamości,"
        " tymczasowe zaświadczenie tożsamości",
        "other": "zasady gry, menu dnia, karta dań, program imprezy, instrukcja gry, reguły gry, godziny otwarcia,"
        " oferta, oferta handlowa, faktura proforma, faktura pro forma, proforma, kosztorys, cennik, menu, przepis,"
        " certyfikat, życiorys, program, katalog, bilet, zaświadczenie, wycena, oferta cenowa, regulamin,"
        " ogłoszenie, plakat, instrukcja, harmonogram, rozkład, kalkulacja, dyplom, świadectwo, faktura pro-forma,"
        " jadłospis, karta gwarancyjna, plan, karta pokładowa, zaproszenie, lista zakupów, instrukcja obsługi,"
        " informacja prasowa, porządek obrad, voucher, oferta nr, zapytanie ofertowe",
    },
    labels={
        "party_column": "dostawca, kontrahent, klient, nabywca, sprzedawca, odbiorca, firma",
        "invoice_number": "faktura nr, nr faktury, numer faktury, faktura vat nr, rachunek nr",
        "payment_due": "termin płatności, data sprzedaży, sposób zapłaty, forma płatności, sposób płatności,"
        " zapłata do, płatne do, termin zapłaty, metoda płatności, data wykonania usługi, data dostawy/wykonania",
        "bill_to": "nabywca, odbiorca faktury, płatnik",
        "amount_due": "do zapłaty, razem do zapłaty, kwota do zapłaty, pozostaje do zapłaty, pozostało do zapłaty,"
        " kwota należności, wartość brutto, należność ogółem, suma brutto",
        "vat_sums": "vat, razem, wartość netto, razem netto, netto, brutto, stawka, kwota vat, stawka vat,"
        " podatek vat, w tym, ogółem, razem brutto, suma netto, wartość vat",
        "vat_number": "nip, regon, nip sprzedawcy, nip nabywcy",
        "bank_details": "iban, nr konta, numer konta, konto, rachunek bankowy, nr rachunku, bank, numer rachunku,"
        " konto bankowe, rachunek",
        "cash": "gotówka, reszta, karta, karta płatnicza, wydano, gotówka pln, do wydania, płatność kartą,"
        " karta płat, płatność, karta kredytowa, zapłacono gotówką, blik",
        "till": "kasjer, kasa, nr paragonu, sprzedaż opod, suma pln, ptu, stolik, kasjer nr, suma ptu, kwota ptu,"
        " kwota a, sprzed. opod, sprzedawca nr, kelner, nr transakcji, kwota b, obsługa, dystrybutor, nr unikatowy,"
        " nr wydruku, ptu a, ptu b, nr sys",
        "card_slip": "kod autoryzacji, terminal, sprzedaż, autoryzacja, nr terminala, transakcja, aid, zbliżeniowo,"
        " pos, transakcja zaakceptowana, zbliżeniowa, mid, tid, id terminala, akceptant, obciążenie mojego rachunku,"
        " kod aut",
        "received_sum": "otrzymałem, otrzymano od, wpłacił, kwota słownie, tytułem, za co, słownie, od kogo,"
        " otrzymałam, kwituję, najemca, przyjęto od, wpłacający, wynajmujący, za najem, wpłata od, czynsz, kwota,"
        " czynsz za, odebrałem, przyjąłem, odebrałam, wpłata",
        "credit_sum": "do zwrotu, kwota do zwrotu, kwota zmniejszenia, zwrot, razem korekta, wartość korekty,"
        " kwota zmniejszenia brutto, do zwrotu nabywcy, zmniejszenie, kwota korekty, razem do zwrotu, różnica,"
        " zmniejszenie brutto, kwota uznania, na korzyść nabywcy, nadpłata, razem zmniejszenie",
        "corrects_invoice": "do faktury, dotyczy faktury, faktura korygowana, faktura pierwotna,"
        " korekta do faktury, nr faktury korygowanej, do faktury nr, do faktury vat, korygowana faktura,"
        " faktura pierwotna nr, dokument korygowany, dotyczy faktury vat, koryguje fakturę",
        "credit_reason": "przyczyna korekty, powód korekty, zwrot towaru, przyczyna, powód, było, jest,"
        " przed korektą, po korekcie, przyczyna wystawienia, winno być, powinno być",
        "wanted_by": "termin dostawy, termin realizacji, data realizacji, dostawa do, oczekiwany termin dostawy,"
        " wymagany termin, termin wysyłki, data dostawy, przewidywana dostawa, planowana dostawa,"
        " przewidywany termin, planowany termin, termin wykonania, realizacja do",
        "order_party": "dostawca, zamawiający, zatwierdził, zamówił, zleceniodawca, dział, państwa zamówienie,"
        " kupujący, osoba zamawiająca, akceptacja, mpk, akceptował, kontakt, zlecający",
        "order_sum": "wartość zamówienia, razem zamówienie, suma zamówienia, łączna wartość zamówienia,"
        " wartość zamówienia netto, kwota zamówienia",
        "delivered": "ilość zamówiona, ilość wydana, zamówiono, wydano, dostarczono, do dostarczenia, zam, wyd,"
        " ilość dostarczona, pozostało, brak, braki, wysłano, zamówione, wydane, do dosłania, dostarczone, zaległe,"
        " ilość wysłana",
        "carriage": "przewoźnik, magazyn, masa, waga, palety, liczba paczek, kierowca, ilość paczek, data wydania,"
        " nadawca, odbiorca, nr rejestracyjny, środek transportu, paczki, liczba palet, waga brutto, transport,"
        " spedytor, data wysyłki, masa brutto, pojazd, ilość palet, opakowania, kurier, spakował, pakował, kartony,"
        " załadowca, nr przesyłki, liczba opakowań",
        "goods_received": "odebrał, wydał, towar odebrano, podpis odbiorcy, potwierdzam odbiór, przyjął, odebrano,"
        " towar przyjęto, odbiorca podpis, kwituję odbiór, potwierdzenie odbioru, towar odebrałem, odbierający,"
        " towar przyjął, data i podpis odbiorcy",
        "deliver_to": "miejsce dostawy, adres dostawy, dostawa na adres, odbiorca, adres odbiorcy, dostarczyć do,"
        " miejsce rozładunku, miejsce przeznaczenia",
        "balances": "saldo początkowe, saldo końcowe, saldo, saldo poprzednie, saldo na dzień, saldo po operacji,"
        " saldo otwarcia, stan początkowy, stan końcowy, saldo zamknięcia, saldo na, saldo do zapłaty,"
        " bilans otwarcia",
        "account": "posiadacz, okres, opis operacji, data operacji, data waluty, nr wyciągu, posiadacz rachunku,"
        " data księgowania, obroty, tytuł operacji, za okres, wyciąg nr, właściciel, tytuł, limit, suma obciążeń,"
        " suma uznań, dostępny limit, data transakcji, kontrahent, numer karty",
        "debit_credit": "wn, ma, obciążenia, uznania, winien, obciążenie, uznanie, wpływy, wypłaty, wpłaty",
        "ageing": "przed terminem, 0-30 dni, 30 dni, 60 dni, 90 dni, powyżej 90 dni, przeterminowane, 1-30 dni,"
        " 31-60 dni, dni po terminie, bieżące, po terminie, nieprzeterminowane",
        "net_pay": "do wypłaty, wynagrodzenie netto, kwota do wypłaty, netto, płaca netto, kwota netto, wypłata,"
        " przelew na konto, do wypłaty na konto, razem do wypłaty, na rękę",
        "gross_pay": "płaca zasadnicza, wynagrodzenie zasadnicze, razem brutto, premia, brutto, dodatek stażowy,"
        " nadgodziny, wynagrodzenie brutto, pensja zasadnicza, płaca brutto, wynagrodzenie, dodatek, dodatek nocny,"
        " wynagrodzenie urlopowe, przychód, suma przychodów, ekwiwalent, premia uznaniowa, dodatek funkcyjny,"
        " stawka godzinowa, kwota brutto",
        "deductions": "składka emerytalna, składka rentowa, składka chorobowa, ubezpieczenie zdrowotne,"
        " zaliczka na podatek, potrącenia, składki zus, składka zdrowotna, podatek dochodowy,"
        " ubezpieczenie społeczne, ub. emerytalne, ub. rentowe, ub. chorobowe, ppk, ubezpieczenie emerytalne,"
        " ubezpieczenie rentowe, ubezpieczenie chorobowe, emerytalna, rentowa, chorobowa, składki społeczne,"
        " zaliczka pit, zus, podatek, koszty uzyskania, razem potrącenia, ubezpieczenia społeczne, zaliczka na pit,"
        " składki",
        "employee": "pracownik, stanowisko, nr ewidencyjny, pesel, pracodawca, wymiar etatu, etat, za miesiąc,"
        " nr pracownika, pracownica, nazwisko i imię, okres, data zatrudnienia, godziny przepracowane, norma, dział,"
        " czas pracy, miesiąc, wymiar, imię i nazwisko, urlop",
        "subject": "dotyczy, dot, nasz znak, wasz znak, załącznik, załączniki, znak, znak sprawy, temat, sprawa,"
        " nr sprawy",
        "mail_header": "od, do, wysłano, temat, dw, wiadomość przekazana, załącznik, data, załączniki, przesłana dalej",
        "form_blank": "imię i nazwisko, imię, nazwisko, adres, pesel, telefon, data urodzenia, podpis, data,"
        " adres zamieszkania, miejscowość, e-mail, kod pocztowy, klasa, numer telefonu, wnioskodawca, data i podpis,"
        " podpis wnioskodawcy, seria i nr dowodu, nr telefonu, ulica, podpis rodzica, nr konta, czytelny podpis,"
        " miejscowość i data, nip, nr dowodu",
        "report_heads": "podsumowanie, wnioski, wstęp, ustalenia, zalecenia, wyniki, rekomendacje, cel, przebieg,"
        " wprowadzenie, uchwały, zakres, ocena, wnioski i zalecenia, porządek obrad, streszczenie, metodyka, opis,"
        " stwierdzone usterki, wyniki badań, działania, plan, przebieg zebrania, spostrzeżenia, główne wyniki,"
        " zadania, omówienie, orzeczenie, stan, tło, perspektywy, usterki, metoda",
        "report_by": "sporządził, sporządziła, opracował, opracowała, obecni, protokolant, protokołował,"
        " data kontroli, okres, uczestnicy, data przeglądu, przewodniczący, autor, na dzień, stan na dzień,"
        " kontrolujący, protokołowała, nieobecni, wykonał, wykonała, przygotował, przygotowała, okres sprawozdawczy,"
        " opracowanie, przeprowadził, badanie wykonał, stan na, data badania, za okres, audytor",
        "person": "nazwisko, imiona, imię, obywatelstwo, data urodzenia, płeć, data ważności, miejsce urodzenia,"
        " data wydania, organ wydający, surname, given names, nazwisko / surname, pesel, nr dokumentu,"
        " termin ważności, nazwisko rodowe, wydany przez, imię (imiona), ważny do, rodzaj zezwolenia, typ, kod,"
        " seria i numer, imię ojca, rodzice, wydane przez, numer dokumentu, kategorie, nr, posiadacz, narodowość,"
        " ważna do, rodzaj pobytu, kod państwa, imiona rodziców, nr paszportu, adres, uwagi",
        "offer": "oferta ważna, ważna do, termin ważności, ważność oferty, oferta nr, termin związania ofertą,"
        " ważność, oferta ważna do, numer oferty",
        "referring": "według, wg, zgodnie z",
    },
    phrases={
        "payment_due": "płatność przelewem, termin płatności, słownie, prosimy o wpłatę, prosimy o zapłatę,"
        " przelewem, przelew * dni, przelew w terminie, w terminie * dni",
        "till": "paragon fiskalny, zapraszamy ponownie, dziękujemy za zakupy, dziękujemy, zapraszamy, niefiskalny,"
        " do zobaczenia, zachowaj paragon, dziękujemy za wizytę",
        "received_sum": "otrzymałem od, otrzymałam od, potwierdzam otrzymanie, kwituję odbiór, gotówką,"
        " kwotę słownie, otrzymał gotówką, potwierdzam odbiór kwoty, zapłacono gotówką",
        "credit_sum": "do zwrotu, zwrócimy, zostanie zwrócon*, na korzyść, zaliczymy na poczet, zwrot na,"
        " na poczet, zwrot nastąpi, kwota zmniejsza, zostanie rozliczon*",
        "corrects_invoice": "do faktury, dotyczy faktury, korygujemy fakturę, koryguje fakturę,"
        " faktury korygowanej, korekta do",
        "ordering": "prosimy o realizację, zamawiamy, prosimy o dostawę, składamy zamówienie,"
        " prosimy o potwierdzenie, niniejszym zamawiamy, na fakturze prosimy, prosimy o dostarczenie, zlecamy,"
        " proszę o realizację, podać numer zamówienia, prosimy dostarczyć, prosimy potwierdzić, potrzebujemy,"
        " proszę przysłać, przyślijcie",
        "confirms_order": "otrzymaliśmy zamówienie, przyjęliśmy zamówienie, przyjęliśmy państwa zamówienie,"
        " potwierdzamy przyjęcie, dziękujemy za zamówienie, potwierdzamy zamówienie, zamówienie zostało,"
        " państwa zamówienie, potwierdzamy realizację, dziękujemy za złożenie",
        "goods_received": "towar odebrano, bez zastrzeżeń, czytelny podpis, fakturę wyślemy, faktura zostanie,"
        " w stanie nienaruszonym, towar otrzymałem, zgodnie z zamówieniem otrzymałem, faktura osobno,"
        " nie jest fakturą, fakturę prześlemy, odebrano bez, towar przyjęto, faktura w osobnej, kompletne",
        "parties": "zwanym dalej, zwaną dalej, zwanymi dalej, pomiędzy, zawarta, zawarta w dniu, zawarta dnia,"
        " strony, stron umowy, zleceniobiorca, zleceniodawca, wynajmujący, najemca, zamawiającym, wykonawca,"
        " sprzedający, pożyczkodawca, pożyczkobiorca, każda ze stron, obie strony, zawarty, zawarte, zwany dalej,"
        " zwana dalej, dalej, wynajmującym, pracodawcą, między, stron",
        "clause_words": "kodeksu cywilnego, wypowiedzenia, okres wypowiedzenia, wypowiedzenie, zobowiązuje się,"
        " sprawach nieuregulowanych, sąd, poufność, poufne, poufnych, wynagrodzenie wynosi, odpowiedzialność,"
        " postanowienia końcowe, przedmiot umowy, kara umowna, kary umowne, umowę zawarto, wypowiedzieć,"
        " wchodzi w życie, pozostają bez zmian, zobowiązują się, kaucja, pozostałe postanowienia,"
        " na czas nieokreślony, na czas określony, formy pisemnej, oprocentowanie, odsetki, przedmiotem umowy,"
        " kodeksu pracy, informacji poufnych",
        "signed_by_parties": "jednobrzmiących egzemplarzach, w dwóch egzemplarzach, podpisy stron,"
        " po jednym dla każdej, dwóch jednobrzmiących, egzemplarz*",
        "mail_header": "wiadomość oryginalna, wiadomość przekazana, w załączeniu, w załączniku, przekazuję,"
        " przesyłam dalej, przesyłam w załączeniu",
        "salutation": "szanown*, drog*, dzień dobry, witam, cześć *",
        "closing": "z poważaniem, z wyrazami szacunku, pozdrawiam, serdecznie pozdrawiam, z pozdrowieniami,"
        " łączę pozdrowienia, łączę wyrazy, pozdrowienia",
        "letter_prose": "informujemy, w odpowiedzi na, uprzejmie informujemy, zwracamy się, dziękujemy za,"
        " uprzejmie prosimy, zawiadamiamy, przypominamy, nie odnotowaliśmy, wzywamy, nie wpłynęła,"
        " pozostaje nieuregulowan*, do dnia dzisiejszego, informuję, przesyłam, niestety, w razie pytań,"
        " przykro nam, zapraszam, w przeciwnym razie, wypowiadam, prosimy o kontakt, uprzejmie proszę, proszę o,"
        " wzywam, nie otrzymaliśmy, zwracam się",
        "fill_in": "wypełnić, drukowanymi literami, wypełnić czytelnie, proszę wypełnić, wielkimi literami,"
        " wypełnia, pismem drukowanym",
        "tick": "właściwe zaznaczyć, zaznaczyć, niepotrzebne skreślić, zakreślić, wstawić x, znakiem x,"
        " właściwe podkreślić, zaznacz",
        "office_use": "wypełnia urząd, adnotacje urzędu, wypełnia organ, adnotacje urzędowe, wypełnia pracodawca,"
        " wypełnia szkoła, nie wypełniać, wypełnia bank, adnotacje",
        "declares": "oświadczam, wyrażam zgodę, wnoszę o, zwracam się z prośbą, pod odpowiedzialnością, upoważniam,"
        " przyjmuję do wiadomości, proszę o przyznanie, zgodne z prawdą, zobowiązuję się",
        "meeting": "zebranie, następne zebranie, jednogłośnie, posiedzenie, uchwałę, zarząd, rada, spotkanie,"
        " zebrania, spotkania, uchwalono, komisja, ustalono",
        "report_prose": "stwierdzono, zaleca się, w porównaniu, procent, wzrosła, wzrósł, spadła, spadł, w okresie,"
        " przeprowadzono, odnotowano, średnio, kontrola, badanie, w stosunku do, zmierzono, nie stwierdzono,"
        " w kwartale, przegląd, wykazał*, sprawdzono, w ubiegłym roku, wyniosła, wyniósł, skontrolowano, ustalono,"
        " zbadano",
        "offer": "oferta ważna, oferujemy, zapraszamy do współpracy, ważna przez, niniejsza oferta, nie stanowi,"
        " przedpłata, przedstawiamy ofertę, zapłata przed, nie jest dokumentem księgowym, przed wysyłką,"
        " w odpowiedzi na zapytanie, dla celów celnych, ceny obowiązują, nie jest fakturą, nie stanowi faktury,"
        " do celów celnych, po akceptacji",
        "no_invoice": "nie jest fakturą, nie stanowi faktury, fakturę prześlemy, faktura w osobnej, faktura zostanie",
    },
)
