// Triage: from what somebody observes to the states left, the next question, and what is safe.
// The answers are in the address: `?job=running&lease=?&p.job=42`. What follows from them is decided as in diagnose.py.
(() => {
  "use strict"

  const UNKNOWN = "?" // the answer "I can't tell"
  const MOST = 12 // states that are listed by name
  const PARAMETER = "p." // what a parameter's name begins with in the address
  const TOKEN = /('(?:[^']|'')*'|"[^"]*"|--[^\n]*|\/\*[^]*?\*\/|\$(\w*)\$[^]*?\$\2\$)|%\((\w+)\)s/g

  const has = (when, n, value) => !when[n] || when[n].includes(value)

  // `known` are pairs of an observation's and a value's number. All of a place's combinations weigh the same.
  function diagnose(data, known, open) {
    const left = data.places.filter(([, when]) => known.every(([n, value]) => has(when, n, value)))
    const found = new Set(left.map(([state]) => state))
    const states = [...found].filter(state => state >= 0).sort((a, b) => a - b).map(n => data.states[n])
    const touching = data.rules.map(rule => rule.when.filter(when => known.every(([n, value]) => has(when, n, value))))
    const covers = when => Object.keys(when).every(n => known.some(([m]) => m === Number(n)) || whole(data, when, n))
    const broken = data.rules.filter((_, n) => touching[n].some(covers))
    return {
      states,
      outside: found.has(-1) ? data.rules.filter((rule, n) => rule.outside && touching[n].length) : [],
      question: found.size > 1 ? nextQuestion(data, left, known, open) : null,
      safe: states.length ? states[0].permitted.filter(n => states.every(state => state.permitted.includes(n))) : [],
      forbidden: forbidden(data, states),
      broken: found.size ? [] : broken.length ? broken : data.rules.filter((_, n) => touching[n].length),
    }
  }

  const whole = (data, when, n) => when[n].length === data.observations[n].values.length

  function nextQuestion(data, left, known, open) {
    const answered = new Map(known)
    const counts = data.observations.map(each => each.values.map(() => ({ weight: 0, states: new Set() })))
    const every = data.observations.map(each => [...each.values.keys()])
    for (const [state, when] of left) {
      const values = every.map((all, n) => answered.has(n) ? [answered.get(n)] : when[n] || all)
      const size = values.reduce((product, some) => product * some.length, 1)
      for (const n of open) {
        for (const value of values[n]) {
          counts[n][value].weight += size / values[n].length
          counts[n][value].states.add(state)
        }
      }
    }
    let best = null
    for (const n of open) {
      const seen = counts[n].filter(one => one.weight)
      const expected = seen.reduce((sum, one) => sum + one.weight * one.states.size, 0)
      const answers = new Set(left.map(([, when]) => String(when[n] || every[n])))
      if (seen.length > 1 && answers.size > 1 && (best === null || expected < best.expected)) best = { n, expected }
    }
    return best && data.observations[best.n]
  }

  function forbidden(data, states) {
    const found = new Map()
    for (const state of states) {
      for (const [action, because, prevented] of state.forbidden) {
        if (!found.has(action)) found.set(action, [])
        found.get(action).push({ state, because, prevented })
      }
    }
    return [...found].sort(([a], [b]) => a - b)
  }

  // How a page is written: text is text, never HTML.
  function element(name, attributes = {}, ...children) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    made.append(...children)
    return made
  }
  const link = ({ title, url }) => element("a", { href: url }, title)
  const list = (name, items) => element("ul", { class: `fm-plain ${name}` }, ...items)
  const heading = text => element("h2", { class: "fm-heading" }, text)

  function summary(found) {
    const number = found.states.length
    if (!number) return found.outside.length ? "It is not, or no longer, in this matrix." : "This cannot be."
    const next = found.question ? ` Ask next: ${found.question.title}.` : ""
    if (number === 1 && !found.outside.length) return `It is: ${found.states[0].title}.`
    const names = number === 1 ? found.states[0].title : `one of ${number} states`
    return `It is ${names}${found.outside.length ? ", or not in this matrix" : ""}.${next}`
  }

  function* details(data, found) {
    if (found.question) {
      const asks = element("a", { href: `#ask-${found.question.id}` }, found.question.asks || found.question.title)
      yield element("p", { class: "fm-triage__next" }, element("strong", {}, "Ask next: "), asks)
    } else if (found.states.length > 1) {
      yield element("p", { class: "fm-triage__stuck" }, "No other answer can tell these states apart.")
    }
    if (found.broken.length) yield* broken(found)
    if (found.outside.length) yield* outside(found)
    if (!found.states.length) return
    yield* states(found)
    yield* safe(data, found)
    yield* bans(data, found)
    if (found.states.length === 1) yield* decides(data, found.states[0])
  }

  function* broken(found) {
    const text = found.broken.length === 1 ? "A rule was broken, or you look at the wrong subject:"
      : "One of these rules was broken, or you look at the wrong subject:"
    yield element("p", {}, text)
    yield list("fm-triage__broken", found.broken.map(rule => element("li", {}, rule.because)))
  }

  function* outside(found) {
    yield heading(found.states.length ? "It may not be in this matrix" : "Why")
    yield list("fm-triage__outside", found.outside.map(rule => element("li", {}, rule.because)))
  }

  function* states(found) {
    const many = found.states.length - MOST
    yield heading(found.states.length === 1 ? "The state" : `The ${found.states.length} states left`)
    const items = found.states.slice(0, MOST).map(state => element("li", {}, link(state), ...meaning(found, state)))
    if (many > 0) items.push(element("li", { class: "fm-dim" }, `and ${many} more`))
    yield list("fm-triage__states", items)
  }

  const meaning = (found, state) =>
    found.states.length === 1 && state.means ? [element("span", { class: "fm-dim" }, ` ${state.means}`)] : []

  function* safe(data, found) {
    const many = found.states.length > 1
    yield heading("Safe now")
    if (found.safe.length) {
      yield list("fm-triage__safe", found.safe.map(n => element("li", { class: "fm-yes" }, link(data.actions[n]))))
    } else {
      yield element("p", { class: "fm-dim" }, many ? "Nothing that all of these states permit." : "Nothing.")
    }
  }

  function* bans(data, found) {
    if (!found.forbidden.length) return
    yield heading("Forbidden")
    yield list("fm-triage__forbidden", found.forbidden.map(([action, by]) =>
      element("li", { class: "fm-no" }, link(data.actions[action]), ...reasons(found, by))))
  }

  // Of more than three states that forbid the same, a few speak for all.
  function* reasons(found, by) {
    if (by.some(one => !one.prevented)) yield element("span", { class: "fm-warn" }, " nothing prevents it")
    for (const one of by.slice(0, 3)) {
      const where = found.states.length > 1 ? `${one.state.title}: ` : ""
      yield element("span", { class: "fm-triage__because" }, where + one.because)
    }
    if (by.length > 3) yield element("span", { class: "fm-triage__because" }, `and in ${by.length - 3} more`)
  }

  function* decides(data, state) {
    yield heading("Who decides")
    yield element("p", {}, [state.owner || "Nobody", state.contact].filter(Boolean).join(": "))
    yield heading("Taken back")
    for (const [when, action, until] of state.reversals) {
      yield element("p", {}, `${when} → `, link(data.actions[action]), until ? ` Until: ${until}` : "")
    }
    if (state.irreversible) yield element("p", {}, `It cannot be taken back. ${state.irreversible}`)
    if (!state.reversals.length && !state.irreversible) yield element("p", { class: "fm-dim" }, "Nothing is said.")
  }

  const quoted = value => `'${value.replaceAll("'", "''")}'`

  function filled(text, kind, values) {
    if (kind === "text") return text.replace(/\{(\w+)\}/g, (all, name) => values.get(name) || all)
    return text.replace(TOKEN, (all, skipped, _, name) => !skipped && values.get(name) ? quoted(values.get(name)) : all)
  }

  // A statement keeps its highlighting until a parameter is filled in.
  function fill(form) {
    const values = new Map([...form.querySelectorAll("[data-parameter]")].map(one => [one.dataset.parameter, one.value]))
    for (const one of form.querySelectorAll("[data-fill]")) {
      const code = one.querySelector("pre code") || one
      code.original ??= [...code.childNodes]
      const before = code.original.map(node => node.textContent).join("")
      const after = filled(before, one.dataset.fill, values)
      code.replaceChildren(...(after === before ? code.original : [after]))
    }
  }

  function remember(form) {
    const address = new URL(location.href)
    address.search = ""
    for (const one of form.querySelectorAll("input:checked")) address.searchParams.set(one.name, one.value)
    for (const one of form.querySelectorAll("[data-parameter]")) {
      if (one.value) address.searchParams.set(PARAMETER + one.dataset.parameter, one.value)
    }
    if (address.href !== location.href) history.replaceState(history.state, "", address)
  }

  function recall(form) {
    const given = new URL(location.href).searchParams
    for (const one of form.querySelectorAll("input[type=radio]")) one.checked = given.get(one.name) === one.value
    for (const one of form.querySelectorAll("[data-parameter]")) one.value = given.get(PARAMETER + one.dataset.parameter) || ""
  }

  function show(root, data) {
    const form = root.querySelector("form")
    const known = [], open = []
    data.observations.forEach((observation, n) => {
      const answer = form.elements.namedItem(observation.id)
      const value = answer instanceof RadioNodeList ? answer.value : ""
      if (!value) open.push(n)
      else if (value !== UNKNOWN) known.push([n, observation.values.indexOf(value)])
    })
    const found = diagnose(data, known, open)
    const text = summary(found)
    root.querySelector(".fm-triage__status").textContent = text
    root.querySelector(".fm-triage__bar a").textContent = text
    root.querySelector(".fm-triage__details").replaceChildren(...details(data, found))
    for (const one of form.querySelectorAll("[data-observation]")) {
      one.classList.toggle("fm-triage__question--next", one.dataset.observation === found.question?.id)
    }
    fill(form)
  }

  // Moves there without touching the address, which holds the answers. Material makes addresses whole.
  function jump(event) {
    const to = event.target.closest?.(".fm-triage a")
    if (!to?.hash || to.pathname !== location.pathname) return
    event.preventDefault()
    event.stopPropagation()
    const target = document.getElementById(to.hash.slice(1))
    target.scrollIntoView({ block: "start" })
    ;(target.querySelector("input") || target).focus({ preventScroll: true })
  }

  function onPage() {
    const root = document.querySelector(".fm-triage")
    if (!root?.hidden) return
    const data = JSON.parse(root.querySelector("template").content.textContent)
    const form = root.querySelector("form")
    const update = () => { remember(form); show(root, data) }
    recall(form)
    form.addEventListener("input", update)
    form.addEventListener("submit", event => event.preventDefault())
    form.addEventListener("reset", () => setTimeout(update))
    root.hidden = false
    document.querySelector(".fm-triage__table").classList.add("fm-triage__table--paper")
    show(root, data)
  }

  document.addEventListener("click", jump, true)
  window.document$?.subscribe(onPage)
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", onPage)
  else onPage()
})()
