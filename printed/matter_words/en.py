"""English words in which people speak of documents and of what stands in them."""

from printed.matter_words.table import MatterWords

WORDS = MatterWords(
    types={
        "invoice": "invoice*, bill, bills, billed, billing",
        "receipt": "receipt, receipts, till slip*, sales slip*, card slip*",
        "credit note": "credit note*, credit memo*, credit notes, refund note*",
        "order": "order, orders, ordered, purchase order*, order confirmation*, work order*",
        "delivery note": "delivery note*, packing slip*, packing list*, waybill*, consignment note*, despatch note*,"
        " dispatch note*, goods received note*, delivery slip*, bill of lading, bills of lading",
        "contract": "contract, contracts, contractual*, agreement, agreements, lease, leases, leased, nda, ndas,"
        " deed, deeds, tenancy agreement*, addendum, addenda, sublease*",
        "statement": "bank statement*, account statement*, statement, statements, statement of account",
        "payslip": "payslip*, pay slip*, wage slip*, pay stub*, paystub*, payroll*, salary slip*, salary statement*",
        "letter": "letter, letters, reminder letter*, cover letter*, correspondence, dunning letter*",
        "form": "form, forms, application form*, questionnaire*, application, applications",
        "report": "report, reports, appraisal*, assessment*, audit report*, survey report*, expert opinion*,"
        " performance review*, laboratory result*, lab result*, inspection report*, test result*, the minutes,"
        " minutes of, meeting minutes, board minutes, minutes from",
        "identity paper": "passport*, identity card*, id card*, driving licence*, driver's license*,"
        " driving license*, residence permit*, identity paper*, id document*, birth certificate*,"
        " identity document*, work visa*, entry visa*, visa for, visa application*, visa expire*, visas",
        "other": "quotation*, quote, quotes, price list*, brochure*, menu, menus, recipe*, flyer*, catalogue*,"
        " leaflet*, manual, manuals, curriculum vitae, boarding pass*, proforma*, pro forma*",
    },
    matters={
        "price": "cost, costs, costing, charge, charged, charges, how much, price*, amount, amounts, total, totals,"
        " sum, spend, spent, spending, expens*, bought, buy, buying, purchase*, pay, paid, pays, paying, payment*,"
        " unpaid, overpaid, underpaid, cheapest, most expensive",
        "due": "due, overdue, payable, outstanding, to be paid, unpaid, payment term*, do we owe, we owe",
        "tax": "vat, value added tax, input tax, sales tax, reverse charge, tax rate*, tax point*, tax number*,"
        " tax id*, vat id*",
        "discount": "discount*, rebate*, early payment",
        "supplier": "supplier*, vendor*, creditor*, accounts payable, payables, incoming invoice*, tradesm*",
        "customer": "customer*, client*, debtor*, receivable*, owes us, owe us, sales invoice*, outgoing invoice*,"
        " our own invoices, invoices we sent, invoices we issued, turnover, revenue, sales, sold to",
        "net": "net, gross",
        "agreed": "agreed in, had agreed, we agreed, as agreed, was agreed, agreed upon, in writing",
        "wages": "gets net, get net, nets a month, salar*, earn, earns, earned, earning*, net pay, gross pay,"
        " take-home, take home, income tax, bonus, bonuses, overtime pay, monthly pay, pay rise*, pay raise*,"
        " pension contribution*, social security, everyone's pay, somebody was paid, employee's pay, her pay,"
        " his pay, their pay, staff are paid, staff is paid, what people are paid, withholding tax, make a month,"
        " makes a month, make per month, paid per hour, paid a month, hourly rate of, wage, wages, minimum wage",
        "bank": "bank, banks, account balance*, bank balance*, opening balance, closing balance, iban, overdraft,"
        " bank transfer*, transfers, direct debit*, standing order*, bank fee*, bank charge*, reconcil*, savings,"
        " current account*, balance on, balance at",
        "employment": "employee*, employment*, probation*, staff*, personnel, hired, hire, working hours,"
        " works for us, full time, full-time, part time, part-time, resign*, job title*, colleague*, workforce,"
        " worker*, dismiss*, onboarding, human resources, hr, notice of her, notice of his, fixed-term, fixed term",
        "leave": "annual leave, leave, holiday entitlement*, parental leave, sick leave, maternity*, paternity*,"
        " days off, sick note*, vacation day*",
        "training": "training*, certificate*, qualification*, safety briefing*, course certificate*, first aid*",
        "appraisal": "appraisal*, performance review*, staff review*, next review",
        "lease": "lease*, rent, rents, rented, tenan*, landlord*, deposit*, flat, flats, sublet*, letting*,"
        " service charge*, apartment*, rental*",
        "termination": "notice period*, terminat*, clause*, renew*, period of notice, signatory, signatories,"
        " signed by, expir*, governing law, liabilit*, penalty clause*, run until, runs until, breach*, warranty,"
        " warranties",
        "insurance": "insur*, premium, premiums, insurance claim*, policyholder*, damage claim*",
        "delivery": "deliver, delivered, deliver*, ship, shipped, shipment*, pallet*, carrier*, consignment*,"
        " goods received, backorder*, back order*, warehouse*, stock, parcel*, freight, carriage, goods arrive*",
        "identity": "date of birth, born, nationality, passport number*, place of birth, work permit*, citizenship",
        "meeting": "meeting*, board decid*, board resol*, decided at, agenda, attendee*, resolution*, quorum, board,"
        " the minutes, minutes of, meeting minutes",
        "quality": "laborator*, lab, measurement*, inspection*, findings, nitrate*, defect*, water sample*,"
        " quality control",
        "medical": "diagnos*, patient*, doctor*, medical*, prescription*, blood pressure, symptom*",
        "world": "weather, forecast, recipe for, cook, bake, baking, cooking, poem*, poetry, joke*, song*, lyrics,"
        " sing, story, stories, novel, film, films, movie*, football, match result, won the match, cup final,"
        " world cup, olympic*, horoscope*, lottery, president of, prime minister, capital of, election*, politic*,"
        " news today, latest news, travel tip*, flight to, flights to, hotel*, holiday trip*, restaurant*,"
        " stock market, share price*, bitcoin*, crypto*, python, javascript, write code, write a script,"
        " source code, birthday speech*, speech for, wedding*, love letter*, dating, girlfriend*, boyfriend*,"
        " homework, essay*, history of, who invented, meaning of life, diet, workout*, video game*, chess, betting,"
        " bets, odds, gift for, present for, present idea*, translate this song, riddle*, limerick*, haiku*, rhyme*,"
        " wine to, garden tip*, bedtime, celebrity, celebrities, gossip, exchange rate of, train to, dinner, lunch,"
        " quiz*, cake, tv series, netflix, vaccine*, casino*, weekend in, sightseeing",
    },
    speech={
        "greeting": "hello*, hi, hey, good morning, good afternoon, good evening, good day, bye, goodbye, see you,"
        " have a nice day, have a good day, nice to meet you, how are you",
        "thanks": "thank you*, thanks*, thank, thx, cheers, great, perfect, ok, okay, well done, very much, a lot,"
        " that helped, that was helpful, so much, you, for your help, nice work, good job, got it, understood,"
        " super, all good, that is all, that's all, that was all",
        "product": "ask you, ask here, can you do, able to do, your profile, handwriting, which formats,"
        " what formats, which languages, what languages, do you understand, this assistant, your scope,"
        " this workspace, allowed to ask, are you for, who are you, what are you, in scope, out of scope, upload*,"
        " export*, download*, settings, docrouter, this tool, this app, this chat, access token*, api key*, undo,"
        " dark mode, who can see, can see what, see my questions, do you know here, add a tag, add tags, set a tag,"
        " change my password, log out, sign out, do i search, file format*, keyboard shortcut*, notification*,"
        " invite a colleague, invite a member, your job, you can't answer, you cannot answer, how do you work,"
        " do you work, language do you, languages do you, read scans, trash, filter the list, delete a document,"
        " rename a document, retention, could you help, do you help, how can you help, what can you help",
        "compare": "match, matches, matched, compare*, against, agree with, agrees with, than, correspond*, versus,"
        " as agreed in, in line with, consistent with, differ*, tally, tallies, fit, fits, according to, deviat*,"
        " as in the, as the",
        "point": "it, its, that, this, those, these, them, the one, one, ones, again, the same, he, she, they,"
        " there, other, others, next, previous, before, and, what about, how about, him, her, more, instead, also,"
        " both, the rest, then, only, continue, go on, yes, no, please, why",
        "ask": "what, who, whom, whose, when, where, which, why, how, show, list, give, tell, summari*, translate,"
        " write, read, open, find, compare, check, explain, get, look, print, send, draft, calculate, compute,"
        " search, recommend, suggest, create, make, describe, name, is, are, does, do, did, has, have, can, could,"
        " will, would, should, was, were, reveal, display, repeat, quote, let me, i want, i need, i would like,"
        " please",
        "claim": "you are now, you're now, from now on you, from now on answer, from now on also, act as, pretend *,"
        " new instructions, to your scope, your scope now includes, admin has allowed, admin has just,"
        " admin has added, admin has given, admin has approved you, admin has extended, administrator has allowed,"
        " administrator has added, administrator has given, admin said, admin says, admin allow*,"
        " administrator allow*, administrator said, as an admin, as admin, as your admin, i am the admin,"
        " i am an admin, i'm the admin, developer mode, jailbreak*, counts as in scope, this is in scope,"
        " treat * as in scope, system prompt*, without restriction*, no restriction*, you may also, you now also,"
        " you also handle, allowed you, exception has been, in scope now, mark * in scope",
        "refusal": "why did you refuse, why do you refuse, why won't you, why did you not answer, why can't you,"
        " why were you not, you refused, why didn't you answer, why was that refused, why was it refused",
        "how": "how do i, how can i, who can, who may, where do i, how would i, how does one",
        "drop": "ignore, ignoring, forget, disregard, override*, bypass*, change, changed, extend*, widen*, expand*,"
        " add, added, update, updated, switch*, lift, lifted, disable*, turn off, no longer, now includes,"
        " now include, now covers, has been, replac*, loosen, suspend*, drop, now is, is now, waive*",
        "rules": "profile*, scope, rules, instruction*, restriction*, guardrail*, guideline*, limitation*",
        "other": "other, others, next, another",
        "first": "first, 1st",
        "second": "second, 2nd",
        "third": "third, 3rd",
        "last": "last",
        "joins": "and, but, also, plus, then, while you are at it, by the way, besides, as well as, or, oh",
        "not": "never, not, no, without, except, excluding, nothing about, neither, nor",
        "refused": "is for, not something, out of scope, cannot help with, not discussed here, does not belong",
        "newest": "newest, latest, most recent, oldest",
        "document": "document*, file, files, page, pages, scan, scans, paper, papers, upload, pdf, record, records",
    },
)
