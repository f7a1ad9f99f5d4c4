"""Matters of letters in some wordings each, and what somebody would ask about them who does not know the words."""

from __future__ import annotations

from typing import NamedTuple


class Matter(NamedTuple):
    wordings: tuple[str, str]
    questions: tuple[str, str]


MATTERS = (
    Matter(
        ("We hereby terminate the tenancy at the end of March.", "The lease is cancelled with effect from June."),
        ("who is moving out of the flat", "which apartment does somebody give up"),
    ),
    Matter(
        ("The boiler does not ignite and the radiators stay cold.", "Heating has been out of order since Monday."),
        ("where are people freezing at home", "which house has no warmth"),
    ),
    Matter(
        ("Your vehicle was damaged in the car park.", "The automobile was hit by a lorry at the crossing."),
        ("whose Volkswagen had an accident", "which driver was in a crash on the road"),
    ),
    Matter(
        ("Please find attached our invoice, payable in 14 days.", "The amount due is to be remitted within two weeks."),
        ("which bill has to be settled soon", "what money do we owe a supplier"),
    ),
    Matter(
        ("We remind you that payment is overdue.", "Despite our notice your account remains unsettled."),
        ("who has not paid yet", "which customer is behind with his debts"),
    ),
    Matter(
        ("The patient was admitted with a fractured leg.", "Surgery on the hip was carried out without complications."),
        ("who broke a bone and went to hospital", "what operation did the doctors do"),
    ),
    Matter(
        ("I apply for the post of accountant.", "With this letter I submit my application as bookkeeper."),
        ("who is looking for a job in finance", "which candidate wants to be hired"),
    ),
    Matter(
        ("We regret that you are dismissed as of May.", "Your employment ends because the plant closes."),
        ("who was fired", "which worker loses his job"),
    ),
    Matter(
        ("Mrs Weber will be on maternity leave until autumn.", "She expects a child and takes parental time."),
        ("which colleague is pregnant", "who is having a baby"),
    ),
    Matter(
        ("The roof leaks and water runs down the wall.", "Damp has spread in the attic after the storm."),
        ("where does rain come into the building", "which house is wet under the tiles"),
    ),
    Matter(
        ("We offer you the machine at a discount of ten percent.", "Our quotation includes a rebate for quick orders."),
        ("who sells equipment cheaper", "what proposal has a reduced price"),
    ),
    Matter(
        ("The goods arrived broken and are returned.", "Half of the shipment was defective on receipt."),
        ("which delivery was damaged in transport", "what did we send back because of faults"),
    ),
    Matter(
        ("The parcel has not been delivered.", "Our consignment is lost on its way."),
        ("which package never came", "what went missing in the mail"),
    ),
    Matter(
        ("The insurer covers the burglary.", "Compensation for the stolen jewellery is granted."),
        ("what is paid after thieves broke in", "who gets money for a robbery"),
    ),
    Matter(
        ("A fire destroyed the warehouse.", "The store burned down during the night."),
        ("where were there flames", "which depot was lost in a blaze"),
    ),
    Matter(
        ("The tax office assesses income tax of 4,000 euros.", "Your fiscal return was examined and a refund is due."),
        ("what does the state want from our earnings", "which revenue decision did the authorities make"),
    ),
    Matter(
        ("The building permit for the garage is granted.", "Planning permission for the extension is refused."),
        ("may somebody construct an annex", "what did the council decide about new walls"),
    ),
    Matter(
        ("The loan bears interest at four percent.", "Your credit is repaid in sixty instalments."),
        ("who borrowed from the bank", "what financing was agreed with a lender"),
    ),
    Matter(
        ("The annual meeting of shareholders takes place in May.", "Stockholders are invited to the general assembly."),
        ("when do the owners of the company gather", "which investors come together every twelve months"),
    ),
    Matter(
        ("The licence for the software expires.", "Your subscription of the program runs out."),
        ("which computer application must be renewed", "what app stops working if nobody extends it"),
    ),
    Matter(
        ("Personal data was disclosed by mistake.", "An unauthorised person read confidential records."),
        ("where was there a privacy breach", "who leaked secrets about customers"),
    ),
    Matter(
        ("The elevator is stuck between two floors.", "The lift was inspected and shut down."),
        ("why must everybody take the stairs", "which tower has a broken cabin that goes up"),
    ),
    Matter(
        ("Noise from the construction site exceeds the limit.", "Residents complain of drilling at night."),
        ("where is it too loud to sleep", "which neighbours are disturbed by hammering"),
    ),
    Matter(
        ("The dog bit a postman.", "Your pet injured a passer-by."),
        ("which animal attacked somebody", "who was hurt by a hound"),
    ),
    Matter(
        ("The pupil is transferred to the next class.", "Your son failed the final examination."),
        ("how did a child do at school", "which student got bad marks"),
    ),
    Matter(
        ("The flight was cancelled at short notice.", "Our plane left five hours late."),
        ("who was stuck at the airport", "which journey by air was delayed"),
    ),
    Matter(
        ("We book a double room for three nights.", "The guests stay with breakfast at the inn."),
        ("who reserved a hotel", "what accommodation was arranged for travellers"),
    ),
    Matter(
        ("The wedding is celebrated in the castle.", "The couple marries in the old church."),
        ("who becomes husband and wife", "where is there a marriage ceremony"),
    ),
    Matter(
        ("The deceased left a will.", "By testament the house goes to the niece."),
        ("who inherits something", "what happens with the estate after a death"),
    ),
    Matter(
        ("The court orders the defendant to pay.", "The action is dismissed with costs."),
        ("how did the judge rule", "which lawsuit was decided"),
    ),
    Matter(
        ("The electricity meter shows 4,211 kilowatt hours.", "Power consumption rose by a third."),
        ("how much energy was used", "who needs more current than before"),
    ),
    Matter(
        ("The pipes burst and the cellar is flooded.", "A plumber sealed the leaking tap."),
        ("where is there water in the basement", "who repaired the tubes in the bathroom"),
    ),
    Matter(
        ("The internet connection fails daily.", "Broadband has been down since the thunderstorm."),
        ("who cannot get online", "which network has no signal"),
    ),
    Matter(
        ("The food inspector found mould in the kitchen.", "Hygiene in the canteen is insufficient."),
        ("which restaurant is dirty", "where is cooking unsanitary"),
    ),
    Matter(
        ("The trainee completes the course with honours.", "A certificate of attendance is issued."),
        ("who finished an education", "what proof of learning was handed out"),
    ),
    Matter(
        ("The donor gives 500 euros to the orphanage.", "We thank you for your contribution to charity."),
        ("who supports a good cause", "which generous gift helps poor kids"),
    ),
    Matter(
        ("The trees on the boundary must be felled.", "Branches of your oak overhang our garden."),
        ("what should be cut down next door", "which plants annoy the people beside us"),
    ),
    Matter(
        ("The painter coats the facade in white.", "New wallpaper is hung in all rooms."),
        ("who renovates the surfaces", "what gets a fresh colour"),
    ),
    Matter(
        ("The medicine causes a rash.", "After the tablets the skin itched for days."),
        ("which drug had side effects", "who is allergic to a pill"),
    ),
    Matter(
        ("The driver exceeded the speed limit by 31 km/h.", "A fine is imposed for parking on the pavement."),
        ("who broke traffic rules", "what penalty did the police give a motorist"),
    ),
)
# Each matter has one letter from each town.
TOWNS = (
    "Aalen",
    "Bamberg",
    "Celle",
    "Dachau",
    "Emden",
    "Freising",
    "Gotha",
    "Hameln",
    "Idstein",
    "Jena",
    "Kleve",
    "Lindau",
    "Meissen",
    "Norden",
    "Oelde",
    "Passau",
    "Querfurt",
    "Rastatt",
    "Soest",
    "Torgau",
    "Ulm",
    "Varel",
    "Werdau",
    "Xanten",
    "Zeitz",
    "Aurich",
    "Borken",
    "Coburg",
    "Dessau",
    "Erding",
    "Fulda",
    "Greiz",
    "Husum",
    "Itzehoe",
    "Jever",
    "Kamenz",
    "Lemgo",
    "Minden",
    "Nagold",
    "Oschatz",
    "Peine",
    "Rheine",
    "Speyer",
    "Tuttlingen",
    "Uelzen",
    "Verden",
    "Wismar",
    "Zittau",
    "Ansbach",
    "Brilon",
    "Cham",
    "Demmin",
    "Eutin",
    "Forst",
    "Goslar",
    "Hof",
    "Iserlohn",
    "Kusel",
    "Landau",
    "Moers",
)
SURNAMES = (
    "Bauer",
    "Fischer",
    "Huber",
    "Keller",
    "Lang",
    "Maier",
    "Neumann",
    "Otto",
    "Richter",
    "Schulz",
    "Vogt",
    "Wolf",
    "Ziegler",
)
FILLERS = (
    "Thank you for your letter of last week.",
    "Should you have questions, our office is open every weekday.",
    "Please quote the reference above in all correspondence.",
    "We confirm what was discussed on the telephone.",
    "Copies are kept in our files.",
    "This letter was written by machine and is valid without signature.",
    "Kindly acknowledge receipt.",
    "We look forward to hearing from you.",
)
QUESTION_FRAMES = ("{question} in {town}", "{town}: {question}", "{question}, somewhere around {town}")
