// Expressions of the landing page. They come from links that anybody can write, so they have their own grammar, and
// nothing in them is ever run as code:
//
//   sum: product (("+" | "-") product)*        power: atom ("**" factor)?
//   product: factor (("*" | "/") factor)*      atom: number | name | function "(" sum ")" | "(" sum ")"
//   factor: "-" factor | power

export const MAX_LETTERS = 200, MAX_NODES = 40, MAX_NAMES = 8, MAX_LETTERS_OF_NAME = 12;
const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|([A-Za-z_]\w*)|(\*\*|[-+*/()]))/y;

/** A sentence for the person who wrote the expression. */
export class Trouble extends Error {}

// An operation: its result, its derivatives for the operands, and its rule.
const OPERATIONS = {
  "+": [(x, y) => x + y, () => [1, 1], "A sum passes its gradient on to both operands, unchanged."],
  "-": [(x, y) => x - y, () => [1, -1], "A difference passes its gradient to the first operand, and the negative of it to the second."],
  "*": [(x, y) => x * y, ([x, y]) => [y, x], "A product passes to each factor its gradient times the other factor."],
  "/": [(x, y) => x / y, ([x, y]) => [1 / y, -x / y ** 2], "A quotient `x/y` passes its gradient times `1/y` to `x`, and its gradient times `-x/y²` to `y`."],
  neg: [(x) => -x, () => [-1], "A minus sign passes on the negative of its gradient."],
  "**": [(x, _, n) => x ** n, ([x], _, n) => [n && n * x ** (n - 1)], "A power `xⁿ` passes its gradient times `n·xⁿ⁻¹` to `x`."],
  tanh: [Math.tanh, (_, out) => [1 - out ** 2], "`tanh` passes on its gradient times `1 - out²`, where `out` is its result."],
  relu: [(x) => Math.max(0, x), (_, out) => [out > 0 ? 1 : 0], "`relu` passes its gradient on if its result is positive, and otherwise 0."],
  exp: [Math.exp, (_, out) => [out], "`exp` passes on its gradient times its own result."],
};
const FUNCTIONS = ["tanh", "relu", "exp"];
const ALLOWED = "Use names, numbers, `+ - * / ** ( )`, `tanh`, `relu` and `exp`.";
const RANKS = { "+": 1, "-": 1, "*": 2, "/": 2, neg: 3, "**": 4 };

/** Return the graph of an expression: `nodes`, each after its operands, and its `names`. Throw Trouble. */
export function parse(text) {
  if (!text.trim()) throw new Trouble("Type an expression, such as `a*b + a`.");
  if (text.length > MAX_LETTERS) throw new Trouble(`This expression has ${text.length} letters; at most ${MAX_LETTERS} fit.`);
  const parser = new Parser(tokens(text)), result = parser.sum();
  if (parser.next !== undefined) throw new Trouble(parser.next === ")" ? "There is an extra closing parenthesis." : `Is an operator missing before \`${parser.next}\`?`);
  if ("constant" in result) throw new Trouble("Use at least one name, such as `a`: a gradient says how the result depends on it.");
  return { nodes: parser.nodes, names: [...parser.names.keys()] };
}

function tokens(text) {
  const found = [];
  for (TOKEN.lastIndex = 0; text.slice(TOKEN.lastIndex).trim(); ) {
    const rest = text.slice(TOKEN.lastIndex).trim(), match = TOKEN.exec(text);
    if (!match) throw new Trouble(`\`${[...rest][0]}\` has no meaning here. ${ALLOWED}`);
    found.push(match[0].trim());
  }
  return found;
}

class Parser {
  constructor(found) { Object.assign(this, { found, at: 0, nodes: [], names: new Map() }); }

  get next() { return this.found[this.at]; }

  take(...wanted) { return wanted.includes(this.next) ? this.found[this.at++] : undefined; }

  sum() { return this.chain(() => this.product(), "+", "-"); }

  product() { return this.chain(() => this.factor(), "*", "/"); }

  chain(part, ...signs) {
    let left = part();
    for (let sign; (sign = this.take(...signs)); ) left = this.node(sign, [left, part()]);
    return left;
  }

  factor() { return this.take("-") ? this.node("neg", [this.factor()]) : this.power(); }

  power() {
    const base = this.atom();
    if (!this.take("**")) return base;
    const { constant } = this.factor();
    if (constant === undefined) throw new Trouble("Here an exponent must be a number, as in `a**2`.");
    return this.node("**", [base], constant);
  }

  atom() {
    const token = this.next;
    if (token === undefined) throw new Trouble("Something is missing at the end.");
    this.at++;
    if (token === "(") return this.closed();
    if (/^[\d.]/.test(token)) return { constant: Number(token), text: token, rank: 5 };
    if (!/^\w/.test(token)) throw new Trouble(`Something is missing before \`${token}\`.`);
    if (FUNCTIONS.includes(token)) {
      if (!this.take("(")) throw new Trouble(`Put parentheses after \`${token}\`: \`${token}(a)\``);
      return this.node(token, [this.closed()]);
    }
    if (this.next === "(") throw new Trouble(`\`${token}\` is not a function here. ${ALLOWED}`);
    return this.name(token);
  }

  closed() {
    const inside = this.sum();
    if (!this.take(")")) throw new Trouble("A closing parenthesis is missing.");
    return inside;
  }

  name(text) {
    if (text.length > MAX_LETTERS_OF_NAME) throw new Trouble(`Use names of at most ${MAX_LETTERS_OF_NAME} letters.`);
    if (!this.names.has(text)) this.names.set(text, this.add({ text, rank: 5, operands: [] }));
    if (this.names.size > MAX_NAMES) throw new Trouble(`Use at most ${MAX_NAMES} names.`);
    return this.nodes[this.names.get(text)];
  }

  /** Add an operation. Operations on plain numbers are done at once, as in Python. */
  node(sign, operands, exponent) {
    const rank = RANKS[sign] ?? 5, text = written(sign, operands, exponent);
    if (operands.every((one) => "constant" in one))
      return { constant: OPERATIONS[sign][0](...[...operands.map((one) => one.constant), 0].slice(0, 2), exponent), text, rank };
    return this.nodes[this.add({ text, sign, rank, exponent, operands: operands.map((one) => one.index ?? this.add({ ...one, operands: [] })) })];
  }

  add(node) {
    if (this.nodes.length === MAX_NODES) throw new Trouble(`This graph is too large for a picture: at most ${MAX_NODES} nodes fit.`);
    return this.nodes.push({ ...node, index: this.nodes.length }) - 1;
  }
}

function written(sign, operands, exponent) {
  const rank = RANKS[sign], put = ({ text, rank: own }, least) => (own < least ? `(${text})` : text);
  if (FUNCTIONS.includes(sign)) return `${sign}(${operands[0].text})`;
  if (sign === "neg") return `-${put(operands[0], rank)}`;
  if (sign === "**") return `${put(operands[0], rank + 1)}**${exponent}`;
  const between = rank === 1 ? ` ${sign} ` : sign;
  return `${put(operands[0], rank)}${between}${put(operands[1], rank + 1)}`;
}

/** Return the values of the nodes. Throw Trouble if one of them is not finite. */
export function evaluate({ nodes }, numbers) {
  const values = [];
  for (const { sign, operands, exponent, constant, text } of nodes) {
    const [x, y] = operands.map((one) => values[one]);
    values.push(sign ? OPERATIONS[sign][0](x, y, exponent) : constant ?? numbers.get(text));
    if (!Number.isFinite(values.at(-1))) throw new Trouble(`\`${text}\` is not a finite number for these values. Try others.`);
  }
  return values;
}

/**
 * Return the steps of a backward pass, from "forward" and "seed" over a "run" for each operation to "end". Each has the
 * `gradients` after it, and its `shares`. With `assign`, every += is a =. Throw Trouble as `evaluate` does.
 */
export function backward({ nodes }, values, assign) {
  let gradients = nodes.map(() => 0);
  const last = nodes.length - 1, steps = [{ kind: "forward", shares: [], gradients }];
  gradients = gradients.with(last, 1);
  steps.push({ kind: "seed", node: last, shares: [], gradients });
  for (const { index, sign, operands, exponent } of [...nodes].reverse().filter((one) => one.sign)) {
    const [, derivatives, rule] = OPERATIONS[sign], shares = [], own = gradients[index];
    gradients = [...gradients];
    derivatives(operands.map((one) => values[one]), values[index], exponent).forEach((rate, place) => {
      const to = operands[place], before = gradients[to];
      if ("constant" in nodes[to]) return;
      gradients[to] = rate * own + (assign ? 0 : before);
      if (!Number.isFinite(gradients[to])) throw new Trouble(`The gradient of \`${nodes[to].text}\` is not finite for these values. Try others.`);
      shares.push({ to, rate, own, before, after: gradients[to] });
    });
    steps.push({ kind: "run", node: index, rule, shares, gradients });
  }
  return [...steps, { kind: "end", shares: [], gradients }];
}

/** Return a number with at most four significant digits. */
export const short = (number) => String(Number(number.toPrecision(4)) || 0);

/** Say in a sentence why = is wrong here. `steps` belong to the right backward pass. */
export function whyWrong({ nodes }, steps, wrong) {
  const arrived = (index) => steps.flatMap(({ shares }) => shares.filter(({ to }) => to === index)).map(({ rate, own }) => rate * own);
  const differs = (index) => steps.at(-1).gradients[index] !== wrong.at(-1).gradients[index];
  const lost = nodes.filter(({ index }) => differs(index) && arrived(index).length > 1);
  if (!lost.length) {
    const isShared = nodes.some(({ index }) => arrived(index).length > 1);
    return isShared ? "Here `=` changes nothing, because the shares that it loses are 0." : "Here `=` changes nothing, because every node is used only once. Use a name twice, as in `a*a`.";
  }
  const [{ index, text }, ...others] = lost, shares = arrived(index).map(short);
  const list = `${shares.slice(0, -1).join(", ")} and ${shares.at(-1)}`;
  return `\`${text}\` is used ${shares.length === 2 ? "twice" : `${shares.length} times`}, so its gradient is the sum of ${list}, but \`=\` keeps only the last one.`
    + (others.length ? ` The same happens to ${others.map((one) => `\`${one.text}\``).join(" and ")}.` : "");
}
