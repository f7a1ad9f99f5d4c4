// One line of JSON a test, for the Python side to read.

export default async function* report(source) {
  for await (const { type, data } of source) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const cause = data.details?.error?.cause ?? data.details?.error;
    const problem = type === "test:fail" ? String(cause?.stack ?? cause) : "";
    yield `${JSON.stringify({ name: data.name, problem, seconds: data.details.duration_ms / 1000 })}\n`;
  }
}
