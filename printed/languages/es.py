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
