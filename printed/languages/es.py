"""Spanish."""

from printed.language import Language

LANGUAGE = Language(
    code="es",
    months="enero ene, feb febrero, mar marzo, abr abril, mayo, jun junio, jul julio, ago agosto, sep septiembre,"
    " oct octubre, nov noviembre, dic diciembre",
    weekdays="lunes, martes, miércoles, jueves, viernes, sábado, domingo",
    date_joiners="de del",
    ordinals="º",
    weeks="semana",
    quarters="trimestre",
    numbers="1 un una uno, 2 dos, 3 tres, 4 cuatro, 5 cinco, 6 seis, 7 siete, 8 ocho, 9 nueve, 10 diez, 11 once, 12"
    " doce, 14 catorce, 15 quince, 18 dieciocho, 20 veinte, 24 veinticuatro, 30 treinta, 40 cuarenta, 50"
    " cincuenta, 60 sesenta, 90 noventa, 100 cien",
    scales="thousand mil, million millón millones",
    currencies="EUR euro euros, USD/CAD/AUD/NZD/SGD/HKD dólares",
    units="% por_ciento, day día días dia dias, week semana semanas, month mes meses, year año años, hour hora"
    " horas, minute minutos, m metros, l litros",
    each="por al",
    stopwords="el la los las es y o del en una un por con para se qué cuál cuáles quién quiénes cuándo dónde cómo",
    yes="si sí",
    no="no",
    negations="no nunca ningún ninguna sin",
    limits="solo",
    exceptions="antes",
    more="aument subió suben subida increment",
    less="bajó bajan disminu",
    minimum="al_menos como_mínimo más_de no_menos_de",
    maximum="como_máximo hasta menos_de no_más_de",
    minimum_behind="o_más",
    maximum_behind="o_menos",
    titles="señor señora sr sra",
    approved="firmado firmada aprobado aprobada autorizado autorizada",
    approves="firmó aprobó autorizó",
    has="ha han",
    by="por",
    asks="pregunte contacte llame consulte informe avise pregunta_a llamar_a contactar_con hable_con",
    reports="según asciende ascienden indica indican indicado menciona mencionado figura figuran cita dice"
    " muestra da contiene cuesta cuestan hace valor número texto palabra palabras frase línea también aquí"
    " allí en al lo le se su sus ya más muy este esta estos estas ese esa ha han fue fueron ser está están"
    " entre dentro durante mismo misma como si pero porque no nos son les y/o desde sin",
    mentions="menciona mencionan nombra indica indican contiene contienen prevé prevén cita",
    parties="tenant inquilino inquilina arrendatario arrendataria, landlord arrendador arrendadora casero"
    " propietario, buyer comprador compradora, seller vendedor vendedora, lender prestamista acreedor,"
    " borrower prestatario deudor, employer empleador empresario, employee empleado empleada trabajador"
    " trabajadora, customer cliente clienta clientes, supplier proveedor proveedora, insurer aseguradora,"
    " insured asegurado asegurada, bank banco, recipient destinatario, sender remitente",
    meanings="total suma, rent alquiler renta, deposit fianza depósito, pay paga pagan pagar pago pagado pagada, sign"
    " firmado firmada firma firmó, deliver entrega entregado entregada, deadline plazo preaviso, terminate"
    " rescindido rescisión cancelación, interest intereses interés, penalty penalización multa, roof techo"
    " tejado, damage daño daños, insurance seguro, warranty garantía, heating calefacción, loan préstamo, fee"
    " tasa honorarios",
    directions="por desde de del a al para contra con que",
    before="antes hasta",
    after="después tras",
    universals="todos todas todo toda cada siempre solo sólo solamente ambos ambas",
    permits="puede pueden podrá",
    obliges="debe deben deberá obligado",
    conditions="si salvo sin",
    derived="o a os as ó ado ada ados adas ar ción ciones miento able an",
    pages="página pagina",
    page_joiners="de",
    documents="documento documentos factura facturas contrato contratos",
    sources="fuente fuentes véase ver",
    kinds={"Invoice": "factura"},
    fields={
        "vendor": "proveedor",
        "address": "dirección",
        "customer": "cliente",
        "invoice_number": "número de factura, factura n",
        "invoice_date": "fecha de factura; fecha",
        "date": "fecha",
        "due_date": "fecha de vencimiento, vencimiento",
        "po_number": "pedido",
        "currency": "moneda",
        "subtotal": "base imponible",
        "tax_rate": "iva",
        "tax": "iva",
        "total": "total a pagar",
    },
    columns={
        "sku": "referencia, ref, código, código de artículo, artículo n, código producto",
        "description": "descripción, concepto, artículo, producto, servicio, detalle, denominación",
        "quantity": "cantidad, cant, cdad, uds, unidades, horas",
        "unit": "unidad, ud, unidad de medida",
        "unit_price": "precio unitario, precio por unidad, precio unidad, precio ud, p unitario, p unit, pvp,"
        " precio neto, valor unitario, tarifa, precio",
        "tax_code": "iva, tipo iva, tipo de iva",
        "amount": "importe, importe total, total, precio total, subtotal, total línea, monto, precio con iva,"
        " precio iva incluido, valor total, valor",
    },
    label_words="number numero, quantity cantidad, amount importe, tax iva, date fecha, invoice factura, due"
    " vencimiento, order pedido, price precio, description descripcion, customer cliente, discount descuento, currency"
    " moneda",
    counts="cantidad",
    sum_rows="suma",
    totals="suma importe",
    adjustments="iva *descuento* portes envío pagado",
)
