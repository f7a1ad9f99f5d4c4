"""Spanish words in which people speak of documents and of what stands in them."""

from printed.matter_words.table import MatterWords

WORDS = MatterWords(
    types={
        "invoice": "factura, facturas, facturad*, facturó, facturaron, facturación, minuta de honorarios",
        "receipt": "recibo*, ticket, tickets, tique*, comprobante de pago, comprobantes de pago, justificante de pago",
        "credit note": "abono, abonos, nota de crédito, notas de crédito, factura rectificativa,"
        " facturas rectificativas, nota de abono, notas de abono",
        "order": "pedido, pedidos, orden de compra, órdenes de compra, hoja de pedido",
        "delivery note": "albarán, albaranes, nota de entrega, notas de entrega, carta de porte, guía de remisión,"
        " lista de empaque",
        "contract": "contrato*, contractual*, acuerdo de confidencialidad, convenio*, adenda*, acuerdo, acuerdos,"
        " anexo al",
        "statement": "extracto*, extracto bancario, extractos bancarios, estado de cuenta, estados de cuenta",
        "payslip": "nómina*, hoja de salario, hojas de salario, recibo de salario, recibos de salario,"
        " recibo de nómina, recibos de nómina",
        "letter": "carta, cartas, correspondencia, burofax, requerimiento*",
        "form": "formulario*, solicitud*, cuestionario*, impreso*",
        "report": "informe*, acta, actas, evaluación*, evaluaciones, dictamen*, peritaje*",
        "identity paper": "pasaporte*, su dni, el dni, los dni, documento de identidad, documentos de identidad,"
        " permiso de conducir, permiso de residencia, partida de nacimiento, visado*, carné de, carnet de, visados",
        "other": "presupuesto*, catálogo*, folleto*, lista de precios, currículum*, manual de, oferta, ofertas,"
        " proforma*",
    },
    matters={
        "price": "cuesta*, costó, costaron, costo*, coste*, precio*, importe*, total, totales, comprado*, compra*,"
        " compró, pagar, pagad*, pagamos, pagó, pago, pagos, cuánto, cobró, cobra, cobran, suma, suman, sumas,"
        " gasto, gastos, gastado*, gastamos, gastó, gastaron",
        "due": "vence*, vencim*, vencid*, a pagar, debemos, plazo de pago, impagad*, pendiente de pago,"
        " pendientes de pago",
        "tax": "iva, impuesto sobre el valor, inversión del sujeto pasivo, tipo impositivo",
        "discount": "descuento*, rebaja*, pronto pago, bonificación*",
        "supplier": "proveedor*, acreedor*, cuentas por pagar, vendedor*",
        "customer": "cliente*, deudor*, nos debe, nos deben, ventas, venta, vendid*, cuentas por cobrar, ingresos por",
        "net": "neto, bruto",
        "agreed": "pactad*, acordado por escrito, lo acordado, convenido",
        "wages": "salario*, sueldo*, gana, ganan, ganó, remuner*, salarial*, paga extra, pagas extra,"
        " cobra * al mes, cobra al mes, cobran al mes, neto mensual, bruto mensual, cotización*, irpf,"
        " seguridad social, complemento salarial, horas extra, jornal*, cobra por hora",
        "bank": "banco*, bancari*, saldo*, iban, transferencia*, domiciliación*, descubierto*, cuenta corriente,"
        " comisiones bancarias, conciliación*, adeudo*",
        "employment": "emplead*, trabajador*, contratad*, período de prueba, periodo de prueba, jornada*,"
        " tiempo parcial, plantilla, personal, contrato de trabajo, contratos de trabajo, dimisión, despid*,"
        " recursos humanos, laboral*, compañero*",
        "leave": "vacacion*, baja médica, bajas médicas, permiso parental, días libres, baja por, excedencia*",
        "training": "formación, curso de, cursos de, certificado*, capacitación*, titulación*, primeros auxilios",
        "appraisal": "evaluación del desempeño, evaluación de desempeño, evaluaciones de desempeño",
        "lease": "alquiler*, arrend*, inquilin*, casero*, fianza*, piso, pisos, renta mensual, subarr*,"
        " local comercial, vivienda*",
        "termination": "preaviso*, rescis*, rescind*, cláusula*, prórroga*, firmante*, caduca*,"
        " duración del contrato, penalización*, vigencia*, firmó el, firmó la, responsabilidad civil, terminación*",
        "insurance": "seguro de, seguros, póliza*, siniestro*, asegurad*, aseguradora*, prima del seguro, el seguro",
        "delivery": "entregad*, entrega, entregas, envío*, enviad*, transportista*, almacén*, existencias, paquete*,"
        " flete*, mercancía*, llegan mañana, reparto*, palés",
        "identity": "fecha de nacimiento, nacionalidad*, lugar de nacimiento, nacid*, permiso de trabajo",
        "meeting": "reunión*, reuniones, junta*, orden del día, acordó*, consejo de administración, asistentes,"
        " acta de la, actas de",
        "quality": "laboratorio*, medicion*, medición*, inspección*, nitrato*, defecto*, muestra de,"
        " control de calidad",
        "medical": "diagnóstic*, paciente*, médico*, médica*, receta médica, síntoma*",
        "world": "tiempo hará, tiempo hace, qué tiempo, receta de, recetas de, cocin*, poema*, poesía, chiste*,"
        " canción*, canciones, cuento*, historia de, película*, cine, fútbol, partido*, mundial, horóscopo*,"
        " lotería, presidente de, presidente del gobierno, capital de, elecciones, política, noticia*, viaje*,"
        " viajar, vuelo a, hotel*, restaurante*, bolsa de valores, bitcoin*, python, programa en, código fuente,"
        " cumpleaños, boda*, discurso*, carta de amor, deberes, redacción, inventó, dieta*, ajedrez, apuesta*,"
        " adivinanza*, regalo*, vino para, tren a, tarta*, pastel*, serie de, cenar, cena de, videojuego*, novela*,"
        " tortilla*, paella*, novia, novio, canta, cantar, cántame",
    },
    speech={
        "greeting": "hola*, buenos días, buenas tardes, buenas noches, buenas, buen día, adiós, hasta luego,"
        " hasta mañana, saludos, qué tal, cómo estás",
        "thanks": "gracias*, muchas, perfecto*, muy bien, vale, genial, ok, de acuerdo, por tu ayuda, por su ayuda,"
        " mil, estupendo, entendido, excelente, muy amable, por todo, eso es todo, nada más, te, le",
        "product": "preguntarte, preguntar aquí, puedo preguntar, pregunto aquí, puedes hacer, sabes hacer,"
        " este asistente, tu ámbito, tu alcance, export*, descarg*, subir un, subo un, subir documentos, ajustes,"
        " configuración, esta aplicación, esta herramienta, para qué sirves, para qué eres, quién eres, puede ver,"
        " ve lo que, contraseña, deshacer, entiendes, escritura a mano, manuscrit*, qué formatos, qué idiomas,"
        " tu perfil, añadir una etiqueta, etiqueta*, papelera, cómo funciona, funcionas, te niegas, rechazas,"
        " filtrar la lista, qué haces, puedo hacer aquí, en qué puedes ayudar*, en qué me puedes ayudar,"
        " cómo puedes ayudar*, en qué ayudas",
        "compare": "compar*, coincid*, corresponde*, conforme a, frente a, contra, que en el, que en la, según,"
        " concuerd*, cuadra*, difier*, de acuerdo con",
        "point": "él, ella, ellos, ellas, eso, esto, ese, esa, este, esta, aquel*, lo, la, los, las, otro*, otra*,"
        " otra vez, mismo*, misma*, y, también, siguiente*, anterior*, le, de nuevo, más, sigue, sí, no, por qué,"
        " ambos, su, sus, ahí, entonces, antes, por favor, uno, una",
        "ask": "qué, quién*, cuándo, dónde, cuál*, por qué, cómo, cuánt*, muestra*, muéstra*, enseña*, enséña*,"
        " lista*, dame, dime, di, resume*, traduce*, escribe*, lee, abre*, busca*, encuentra*, compara*, comprueba*,"
        " explica*, envía*, calcula*, recomienda*, recomiénda*, crea*, haz*, describe*, es, son, está, están, hay,"
        " ha, han, puedes, quiero, necesito, cuenta*, cuénta*, verifica*, revisa*, redacta*, revela*, mira*",
        "claim": "ahora eres, eres ahora, a partir de ahora eres, a partir de ahora puedes,"
        " a partir de ahora respondes, desde ahora eres, actúa como, finge *, haz como si, nueva instrucción,"
        " nuevas instrucciones, administrador te ha, administrador acaba, administradora te, administrador te,"
        " administrador dice, como administrador*, soy el admin*, soy admin*, soy la admin*, te autoriza*,"
        " te ha autorizado, te permite*, te ha permitido, tu ámbito ahora, tu ámbito incluye, a tu ámbito,"
        " sin restriccion*, sin límites, modo desarrollador",
        "refusal": "por qué te niegas, por qué rechaz*, por qué no respondes, por qué no puedes responder,"
        " por qué te negaste",
        "how": "cómo puedo, quién puede, cómo cambio, cómo se cambia, dónde cambio, cómo amplío",
        "drop": "ignora*, olvida*, olvídate, cambia, cambiado, amplía*, ampliado, añadid*, añade, salta*, elude*,"
        " desactiva*, levantad*, ya no, quita*",
        "rules": "perfil, ámbito, alcance, reglas, normas, instruccion*, restriccion*, límites",
        "other": "otro*, otra*, siguiente*",
        "first": "primer*",
        "second": "segund*",
        "third": "tercer*",
        "last": "últim*",
        "joins": "y, e, pero, también, además, de paso, por cierto, luego, después, o, así como",
        "not": "nunca, no, sin, salvo, excepto, ni, jamás, nada de",
        "refused": "es para, aquí se trata, no es para, aquí se habla, sirve para",
        "newest": "más reciente*, más nuev*, más antigu*, último documento, últimos documentos",
        "document": "documento*, archivo*, fichero*, página*, escaneo*, papeles, pdf, expediente*",
    },
)
