// Diagrams: a dialog to pan and zoom in, and links that navigate as the page's other links do.
(() => {
  "use strict"

  const STEP = 1.25 // one zoom step
  const MOVE = 0.1 // one arrow key, as a share of the view
  let dragged = false // whether the last press of a pointer moved the drawing, so that it is no click

  // Material's instant navigation listens to HTML links only, so a click on an SVG link becomes one on an HTML link.
  function follow(event) {
    const link = event.target.closest?.(".fm-drawing a")
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    event.stopPropagation()
    if (dragged) return
    link.closest("dialog")?.close()
    const html = document.createElement("a")
    html.href = link.getAttribute("xlink:href")
    html.hidden = true
    document.body.append(html)
    html.click()
    html.remove()
  }

  // What a drawing's viewBox shows. Points are shares of its area: (0.5, 0.5) is the middle.
  function viewOf(svg) {
    const box = svg.viewBox.baseVal
    const area = svg.getBoundingClientRect()
    const [width, height] = [Math.max(box.width, box.height * area.width / area.height),
                             Math.max(box.height, box.width * area.height / area.width)]
    const whole = [box.x - (width - box.width) / 2, box.y - (height - box.height) / 2, width, height]
    const show = view => svg.setAttribute("viewBox", view.join(" "))
    const move = (right, down) => show([box.x + right * box.width, box.y + down * box.height, box.width, box.height])
    const zoom = (factor, right = 0.5, down = 0.5) => {
      const wide = Math.min(Math.max(box.width / factor, width / 20), width * 4)
      const high = wide * height / width
      show([box.x + (box.width - wide) * right, box.y + (box.height - high) * down, wide, high])
    }
    show(whole)
    return { move, zoom, reset: () => show(whole) }
  }

  function onWheel(svg, view) {
    svg.addEventListener("wheel", event => {
      event.preventDefault()
      const area = svg.getBoundingClientRect()
      const at = [(event.clientX - area.x) / area.width, (event.clientY - area.y) / area.height]
      view.zoom(event.deltaY < 0 ? STEP : 1 / STEP, ...at)
    }, { passive: false })
  }

  // One pointer drags, two zoom by how far they are apart.
  function onPointers(svg, view) {
    const down = new Map()
    const apart = () => {
      const [one, two] = [...down.values()]
      return two ? Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY) : 0
    }
    svg.addEventListener("pointerdown", event => {
      down.set(event.pointerId, event)
      dragged = false
    })
    svg.addEventListener("pointermove", event => {
      const before = down.get(event.pointerId)
      if (!before) return
      const [right, below] = [event.clientX - before.clientX, event.clientY - before.clientY]
      if (!dragged && Math.hypot(right, below) < 4) return
      if (!dragged) svg.setPointerCapture(event.pointerId)
      dragged = true
      const distance = apart()
      down.set(event.pointerId, event)
      const area = svg.getBoundingClientRect()
      if (distance) view.zoom(apart() / distance)
      else view.move(-right / area.width, -below / area.height)
    })
    for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, event => down.delete(event.pointerId))
    svg.addEventListener("dragstart", event => event.preventDefault())
  }

  function onKeys(dialog, view) {
    const keys = {
      "+": () => view.zoom(STEP),
      "=": () => view.zoom(STEP),
      "-": () => view.zoom(1 / STEP),
      "0": view.reset,
      ArrowLeft: () => view.move(-MOVE, 0),
      ArrowRight: () => view.move(MOVE, 0),
      ArrowUp: () => view.move(0, -MOVE),
      ArrowDown: () => view.move(0, MOVE),
    }
    dialog.addEventListener("keydown", event => {
      event.stopPropagation() // the page's own shortcuts
      if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      keys[event.key]()
    })
  }

  function element(name, text, attributes = {}) {
    const made = document.createElement(name)
    made.textContent = text
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
    return made
  }

  function button(text, name, action) {
    const made = element("button", text, { type: "button", "aria-label": name, title: name })
    made.addEventListener("click", action)
    return made
  }

  // A copy without ids, since the drawing on the page keeps them, and without a size, so that it fills the dialog.
  function copyOf(svg, title) {
    const copy = svg.cloneNode(true)
    for (const one of [copy, ...copy.querySelectorAll("[id]")]) one.removeAttribute("id")
    for (const name of ["width", "height", "aria-labelledby", "aria-describedby"]) copy.removeAttribute(name)
    copy.querySelector(":scope > title")?.remove()
    copy.setAttribute("aria-label", title)
    return copy
  }

  function enlarge(figure) {
    const shown = [...figure.querySelectorAll("svg.fm-drawing")].find(svg => svg.getClientRects().length)
    if (!shown) return
    const title = figure.querySelector("figcaption").firstChild.textContent
    const dialog = element("dialog", "", { class: "fm-dialog", "aria-label": title })
    const bar = element("div", "", { class: "fm-dialog__bar" })
    const svg = copyOf(shown, title)
    dialog.append(bar, svg)
    dialog.addEventListener("close", () => dialog.remove())
    document.body.append(dialog)
    dialog.showModal()
    const view = viewOf(svg)
    bar.append(
      element("strong", title),
      button("+", "Zoom in", () => view.zoom(STEP)),
      button("−", "Zoom out", () => view.zoom(1 / STEP)),
      button("0", "Show the whole drawing", view.reset),
      button("Close", "Close", () => dialog.close()),
    )
    bar.lastChild.focus()
    onWheel(svg, view)
    onPointers(svg, view)
    onKeys(dialog, view)
  }

  function onPage() {
    for (const one of document.querySelectorAll(".fm-diagram__enlarge")) one.hidden = !one.closest("figure").querySelector("svg")
  }

  document.addEventListener("pointerdown", () => { dragged = false }, true)
  document.addEventListener("click", follow, true)
  document.addEventListener("click", event => {
    const pressed = event.target.closest?.(".fm-diagram__enlarge")
    if (pressed) enlarge(pressed.closest("figure"))
  })
  if (window.document$) window.document$.subscribe(onPage)
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", onPage)
  else onPage()
})()
