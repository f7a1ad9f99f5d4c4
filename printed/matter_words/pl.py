"""Polish words in which people speak of documents and of what stands in them."""

from printed.matter_words.table import MatterWords

WORDS = MatterWords(
    types={
        "invoice": "faktur*, rachunek za, rachunki za, rachunku za, rachunków za",
        "receipt": "paragon*, pokwitowan*, kwit, kwity, potwierdzenie zapłaty",
        "credit note": "korekta faktur*, faktura koryguj*, faktury koryguj*, faktur koryguj*, nota kredytow*,"
        " noty kredytow*, korekty faktur*, fakturę koryguj*, notę kredytow*",
        "order": "zamówie*, zamówion*, zlecen*",
        "delivery note": "dokument dostawy, dokumenty dostawy, dokumentu dostawy, dokumentów dostawy, dokumencie wz,"
        " wz, dowód dostawy, dowody dostawy, list przewozow*, listy przewozow*, listu przewozow*, dokument wz,"
        " dokumenty wz, specyfikacja dostawy",
        "contract": "umow*, umów, umową, kontrakt*, aneks*, umow* zlecen*, umow* o dzieło, umów zlecen*, porozumien*",
        "statement": "wyciąg*, wyciąg bankow*, wyciągi bankow*, zestawienie konta, historia rachunku",
        "payslip": "pasek płac*, paski płac*, pasek wynagrodze*, paski wynagrodze*, odcinek płac*, lista płac*,"
        " listy płac*, listę płac*, odcinki płac*, paska płac*, kwitek płac*",
        "letter": "list od, list do, list polecony, listy, listu, listów, listem, pismo, pisma, pism, wezwani*,"
        " korespondencj*, upomnien*",
        "form": "formularz*, wniosek, wniosk*, ankiet*, kwestionariusz*, podani*",
        "report": "raport*, protokół*, protokoł*, sprawozdan*, ocena pracownik*, oceny pracownik*, ekspertyz*,"
        " opinia, opinii, opinię, opinie",
        "identity paper": "paszport*, dowód osobist*, dowodu osobist*, dowody osobist*, prawo jazdy, prawa jazdy,"
        " karta pobytu, karty pobytu, kartę pobytu, akt urodzenia, wizy, wizę, legitymacj*, wiza",
        "other": "cennik*, katalog*, ulotk*, kosztorys*, życiorys*, instrukcja obsługi, oferta, oferty, ofertę, ofert",
    },
    matters={
        "price": "kosztuj*, kosztował*, koszt*, cena, ceny, cen, cenę, kwot*, suma, sumy, razem, wydal*, wydat*,"
        " kupi*, zakup*, zapłac*, zapłat*, płatno*, ile wynos*, opłat*, płacę, płaci, płacimy, płacą, płacić,"
        " płacił*",
        "due": "termin płatno*, terminy płatno*, zaległ*, do zapłaty, niezapłac*, nieopłac*, przetermin*,"
        " jesteśmy winni",
        "tax": "vat, podatek naliczon*, podatku naliczon*, podatek od towarów, stawka vat, odwrotne obciążenie",
        "discount": "rabat*, skonto*, upust*, zniżk*",
        "supplier": "dostawca*, dostawcy, dostawców, dostawcą, dostawcom, kontrahent*, wierzyciel*, sprzedawc*",
        "customer": "klient*, odbiorc*, dłużnik*, należno*, sprzedaż*, jest nam winien, są nam winni, zalega nam,"
        " przychod*",
        "net": "netto, brutto",
        "agreed": "uzgodnion*, uzgodniono, ustalon* pisemnie, umówion*",
        "wages": "pensj*, wynagrodzen*, zarabia*, zarobk*, zarobi*, płacy, premia, premię, premii, premie, na rękę,"
        " składk*, wypłata, wypłaty, wypłatę, pobory, stawka godzinowa, podatek dochodow*, płacow*",
        "bank": "bank*, saldo, salda, iban, przelew*, konto, konta, koncie, rachunek bankow*, rachunku bankow*,"
        " debet*, obciążenia konta, uzgodnien*",
        "employment": "pracowni*, zatrudni*, okres próbn*, okresie próbn*, pełny etat, pół etatu, etatu, etacie,"
        " umowa o pracę, umowy o pracę, umowę o pracę, umów o pracę, pracuje u nas, kadr*, zwolnien* z pracy,"
        " wymiar czasu pracy, świadectwo pracy, personel*",
        "leave": "urlop*, zwolnienie lekarsk*, zwolnienia lekarsk*, dni wolne, macierzyńsk*",
        "training": "szkole*, certyfikat*, zaświadczen*, kurs bhp, bhp, kwalifikacj*, uprawnien*",
        "appraisal": "ocena okresow*, oceny okresow*, ocena roczn*, oceny roczn*",
        "lease": "najem, najmu, najemc*, wynajm*, czynsz*, kaucj*, lokator*, dzierżaw*, mieszkan*, lokalu, lokalem",
        "termination": "wypowiedzen*, okres wypowiedzenia, klauzul*, rozwiąz* umow*, przedłużen*, podpisał umow*,"
        " kary umown*, kara umown*, obowiązuje do, wygasa*",
        "insurance": "ubezpiecz*, polisa, polisy, polisę, szkod*, składka ubezpieczen*",
        "delivery": "dostaw*, dostarcz*, wysył*, wysłan*, palet*, przewoźni*, magazyn*, paczk*, spedyc*, przesył*,"
        " odbiór towaru, odbioru towaru, stan magazynowy, braki, towar, towaru, towary, towarów, towarem",
        "identity": "data urodzenia, daty urodzenia, obywatelstw*, miejsce urodzenia, pesel, pozwolenie na pracę",
        "meeting": "zebran*, posiedzen*, zarząd zdecydow*, uchwał*, porządek obrad, narad*",
        "quality": "laborator*, pomiar*, azotan*, wada, wady, wad, kontrola jakości, próbk*, inspekcj*",
        "medical": "diagnoz*, pacjent*, lekarz*, recept*, objaw*",
        "world": "pogod*, przepis na, ugotow*, gotow*, wiersz*, poez*, żart*, dowcip*, piosenk*, śpiewa*, bajk*,"
        " opowiadan*, film*, kino, piłk*, mecz*, mundial*, horoskop*, loteri*, prezydent*, premier rządu, stolic*,"
        " wybor*, polityk*, wiadomości z, podróż*, lot do, hotel*, restaurac*, giełd*, bitcoin*, python*,"
        " programowa*, kod źródłowy, urodzin*, ślub*, przemówien*, list miłosn*, dziewczyn*, chłopak*, wypracowan*,"
        " wynalaz*, diet*, szach*, zakład bukmach*, zagadk*, rym, prezent*, wino do, pociąg do, ciasto, kolacj*,"
        " obiad*, gra wideo, quiz*, powieś*",
    },
    speech={
        "greeting": "cześć*, dzień dobry, dobry wieczór, hej*, witam*, witaj*, do widzenia, do zobaczenia,"
        " miłego dnia, siema, jak się masz, co słychać",
        "thanks": "dzięk*, dziękuj*, świetnie*, super, dobrze, ok, okej, bardzo, doskonale, jasne, za pomoc,"
        " wielkie, rozumiem, w porządku, to wszystko, to tyle, piękn*, ci, wam, panu, pani",
        "product": "możesz pomóc, możesz mi pomóc, mogę zapytać, mogę cię zapytać, mogę pytać, możesz zrobić,"
        " potrafisz, ten asystent, tego asystenta, twój zakres, eksport*, wyeksportow*, pobrać, pobier*, wgrać,"
        " wgryw*, przesłać plik, ustawieni*, ta aplikacja, tej aplikacji, to narzędzie, do czego służysz,"
        " kim jesteś, kto widzi, widzi moje, hasło, cofnąć, rozumiesz, odręczn*, jakie formaty, jakie języki,"
        " twój profil, dodać tag, etykiet*, kosz, jak działasz, odmawiasz, filtrować, co umiesz, czym się zajmujesz,"
        " mogę tu, można tu, w czym pomagasz, jak możesz mi pomóc, jak możesz pomóc",
        "compare": "porówn*, zgadza*, zgodn*, odpowiada*, względem, niż, według, pasuj*, różni*, w stosunku do,"
        " zgadzają",
        "point": "to, ten, ta, te, ci, tego, tej, tym, tych, go, jego, jej, ich, nim, nią, on, ona, oni, drugi*,"
        " inny*, inne, inna, następn*, poprzedn*, jeszcze raz, znowu, ponownie, a, i, też, także, tam, więcej,"
        " dalej, tak, nie, dlaczego, oba, reszt*, wtedy, proszę, jeszcze, raz, sam*, tylko, jeden, jedna, w",
        "ask": "co, kto, kogo, komu, kiedy, gdzie, jaki*, jaka, jakie, który*, która, które, dlaczego, jak, ile,"
        " czy, pokaż*, wypisz*, daj, podaj*, powiedz*, streść*, przetłumacz*, napisz*, przeczytaj*, otwórz*,"
        " znajdź*, porównaj*, sprawdź*, wyjaśnij*, wyślij*, oblicz*, policz*, poleć*, zrób*, opisz*, opowiedz*,"
        " jest, są, był*, ma, mają, chcę, potrzebuję, wyświetl*, poszukaj*, zaproponuj*, zdradź*, przygotuj*",
        "claim": "jesteś teraz, teraz jesteś, od teraz jesteś, od teraz możesz, od tej pory jesteś,"
        " od teraz odpowiada*, od tej pory możesz, od dziś jesteś, udawaj*, nowe polecenie*, nowe instrukcj*,"
        " administrator pozwoli*, administrator zezwoli*, administrator doda*, administrator powiedzia*,"
        " admin pozwoli*, admin zezwoli*, admin doda*, administratorka*, jako admin*, jestem admin*, pozwolił ci,"
        " zezwolił ci, pozwala ci, twój zakres obejmuje, zakres został, zakres obejmuje teraz, bez ogranicze*,"
        " do twojego zakresu, tryb programist*",
        "refusal": "dlaczego odmawiasz, dlaczego odmówi*, czemu odmawiasz, nie chcesz odpowied*,"
        " dlaczego nie odpowiadasz",
        "how": "jak mogę, jak zmienić, kto może, gdzie zmien*, jak rozszerzyć",
        "drop": "zignoruj*, ignoruj*, zapomnij*, zmień*, rozszerz*, obejdź*, wyłącz*, doda*, zniesion*, zmienion*,"
        " pomiń*, nie zważaj*",
        "rules": "profil*, zakres*, zasad*, reguł*, polecen*, instrukcj*, ogranicze*, zakaz*",
        "other": "inny*, inne, inna, następn*, drugi*, drugą, druga",
        "first": "pierwsz*",
        "second": "drug*",
        "third": "trzec*",
        "last": "ostatni*",
        "joins": "i, a, oraz, ale, też, przy okazji, poza tym, a także, potem, następnie, lub, albo",
        "not": "nigdy, nie, bez, oprócz, z wyjątkiem, ani, żadn*",
        "refused": "zajmuje się, jest do, nie należy, służy do, tutaj chodzi",
        "newest": "najnowsz*, najstarsz*, ostatni dokument",
        "document": "dokument*, plik*, stron*, skan*, papier*, pdf, akta, akt",
    },
)
