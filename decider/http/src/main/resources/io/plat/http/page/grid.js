// A grid of any size whose visible part alone is in the document. Elements of rows and cells are reused as they scroll out of view: row r
// has the element r modulo their count, so that scrolling updates only the rows that come into view.
//
// The grid itself has the focus, and reports the active cell to screen readers by aria-activedescendant, as elements of cells are reused.

import { h } from "/ui/dom.js";

const ROWS_BESIDE = 4;
const CELLS_BESIDE = 3;

export class Grid {
  /**
   * @param host the element that scrolls
   * @param look { rowHeight, cellWidth, headWidth, headHeight }
   * @param model { rows, columns, rowHead(element, r), columnHead(element, c), cell(element, r, c), describe(r, c) }
   * @param onOpen called with row and column when a cell is opened
   */
  constructor(host, look, onOpen) {
    this.host = host;
    this.look = look;
    this.onOpen = onOpen;
    this.model = { rows: 0, columns: 0 };
    this.active = { row: 0, column: 0 };
    this.rowPool = [];
    this.headPool = [];
    this.planned = false;
    this.corner = h("div", { class: "grid-corner", role: "columnheader" });
    this.heads = h("div", { class: "grid-heads", role: "row", "aria-rowindex": "1" }, this.corner);
    this.body = h("div", { class: "grid-body", role: "presentation" });
    this.canvas = h("div", { class: "grid-canvas", role: "presentation" }, this.heads, this.body);
    host.replaceChildren(this.canvas);
    host.setAttribute("role", "grid");
    host.tabIndex = 0;
    host.addEventListener("scroll", () => this.plan(), { passive: true });
    host.addEventListener("keydown", (event) => this.key(event));
    host.addEventListener("click", (event) => this.click(event));
    new ResizeObserver(() => this.plan()).observe(host);
  }

  /** Shows a table, from its start unless the position is kept. */
  show(model, label, keepPlace = false) {
    this.model = model;
    const { rowHeight, cellWidth, headWidth, headHeight } = this.look;
    this.host.setAttribute("aria-label", label);
    this.host.setAttribute("aria-rowcount", String(model.rows + 1));
    this.host.setAttribute("aria-colcount", String(model.columns + 1));
    this.canvas.style.width = `${headWidth + model.columns * cellWidth}px`;
    this.canvas.style.height = `${headHeight + model.rows * rowHeight}px`;
    if (!keepPlace) {
      this.host.scrollTo(0, 0);
      this.active = { row: 0, column: 0 };
    }
    this.active.row = Math.min(this.active.row, Math.max(0, model.rows - 1));
    this.active.column = Math.min(this.active.column, Math.max(0, model.columns - 1));
    this.forget();
    this.render();
  }

  forget() {
    this.rowPool = [];
    this.headPool = [];
    this.heads.replaceChildren(this.corner);
    this.body.replaceChildren();
  }

  plan() {
    if (this.planned) return;
    this.planned = true;
    requestAnimationFrame(() => {
      this.planned = false;
      this.render();
    });
  }

  range() {
    const { rowHeight, cellWidth, headWidth, headHeight } = this.look;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.host;
    const rows = Math.ceil(clientHeight / rowHeight) + 2 * ROWS_BESIDE;
    const columns = Math.ceil((clientWidth - headWidth) / cellWidth) + 2 * CELLS_BESIDE;
    const top = Math.max(0, Math.floor(scrollTop / rowHeight) - ROWS_BESIDE);
    const left = Math.max(0, Math.floor(scrollLeft / cellWidth) - CELLS_BESIDE);
    return {
      top,
      left,
      bottom: Math.min(this.model.rows, top + rows),
      right: Math.min(this.model.columns, left + columns),
      rows: Math.min(rows, this.model.rows),
      columns: Math.min(columns, this.model.columns),
      headHeight,
    };
  }

  render() {
    const range = this.range();
    if (range.rows > this.rowPool.length || range.columns > this.headPool.length) {
      this.grow(range);
    }
    for (let c = range.left; c < range.right; c++) {
      this.placeHead(c);
    }
    for (let r = range.top; r < range.bottom; r++) {
      const row = this.placeRow(r);
      for (let c = range.left; c < range.right; c++) {
        this.placeCell(row, r, c);
      }
    }
    this.markActive();
  }

  /** Creates more elements for a larger window, and assigns them to rows and columns again. */
  grow(range) {
    this.forget();
    const { headWidth, headHeight } = this.look;
    this.corner.style.width = `${headWidth}px`;
    this.corner.style.height = `${headHeight}px`;
    this.heads.style.height = `${headHeight}px`;
    for (let i = 0; i < range.columns; i++) {
      const element = h("div", { class: "grid-column", role: "columnheader" });
      element.style.width = `${this.look.cellWidth}px`;
      element.style.height = `${headHeight}px`;
      this.headPool.push({ element, index: -1 });
      this.heads.append(element);
    }
    for (let i = 0; i < range.rows; i++) {
      this.rowPool.push(this.newRow(i, range.columns));
    }
    this.body.append(...this.rowPool.map((row) => row.element));
  }

  newRow(slot, columns) {
    const { rowHeight, cellWidth, headWidth } = this.look;
    const head = h("div", { class: "grid-row-head", role: "rowheader", "aria-colindex": "1" });
    head.style.width = `${headWidth}px`;
    head.style.height = `${rowHeight}px`;
    const element = h("div", { class: "grid-row", role: "row" }, head);
    element.style.height = `${rowHeight}px`;
    const cells = [];
    for (let i = 0; i < columns; i++) {
      const cell = h("div", { role: "gridcell", id: `cell-${slot}-${i}` });
      cell.style.width = `${cellWidth}px`;
      cell.style.height = `${rowHeight}px`;
      cells.push({ element: cell, index: -1 });
    }
    element.append(...cells.map((cell) => cell.element));
    return { element, head, cells, index: -1 };
  }

  placeHead(c) {
    const head = this.headPool[c % this.headPool.length];
    if (head.index === c) return;
    head.index = c;
    head.element.style.transform = `translateX(${this.look.headWidth + c * this.look.cellWidth}px)`;
    head.element.setAttribute("aria-colindex", String(c + 2));
    this.model.columnHead(head.element, c);
  }

  placeRow(r) {
    const row = this.rowPool[r % this.rowPool.length];
    if (row.index === r) return row;
    row.index = r;
    for (const cell of row.cells) cell.index = -1;
    row.element.style.transform = `translateY(${r * this.look.rowHeight}px)`;
    row.element.setAttribute("aria-rowindex", String(r + 2));
    this.model.rowHead(row.head, r);
    return row;
  }

  placeCell(row, r, c) {
    const cell = row.cells[c % row.cells.length];
    if (cell.index === c) return;
    cell.index = c;
    cell.element.style.transform = `translateX(${this.look.headWidth + c * this.look.cellWidth}px)`;
    cell.element.setAttribute("aria-colindex", String(c + 2));
    this.model.cell(cell.element, r, c);
  }

  element(r, c) {
    const row = this.rowPool[r % (this.rowPool.length || 1)];
    const cell = row?.cells[c % (row.cells.length || 1)];
    return row?.index === r && cell?.index === c ? cell.element : null;
  }

  markActive() {
    const element = this.model.rows ? this.element(this.active.row, this.active.column) : null;
    if (this.marked && this.marked !== element) {
      this.marked.classList.remove("active");
      this.marked.removeAttribute("aria-selected");
    }
    this.marked = element;
    if (element) {
      element.classList.add("active");
      element.setAttribute("aria-selected", "true");
      element.setAttribute("aria-label", this.model.describe(this.active.row, this.active.column));
      this.host.setAttribute("aria-activedescendant", element.id);
    } else {
      this.host.removeAttribute("aria-activedescendant");
    }
  }

  /** Moves to a cell and brings it into view. */
  go(row, column) {
    const { rows, columns } = this.model;
    if (!rows || !columns) return;
    this.active = { row: Math.max(0, Math.min(rows - 1, row)), column: Math.max(0, Math.min(columns - 1, column)) };
    const { rowHeight, cellWidth, headWidth, headHeight } = this.look;
    const y = this.active.row * rowHeight;
    const x = this.active.column * cellWidth;
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.host;
    const top = Math.max(Math.min(scrollTop, y), y + rowHeight + headHeight - clientHeight);
    const left = Math.max(Math.min(scrollLeft, x), x + cellWidth + headWidth - clientWidth);
    if (top !== scrollTop || left !== scrollLeft) this.host.scrollTo(left, top);
    this.render();
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const { row, column } = this.active;
    const page = Math.max(1, Math.floor((this.host.clientHeight - this.look.headHeight) / this.look.rowHeight) - 1);
    const far = event.ctrlKey;
    const moves = {
      ArrowUp: () => this.go(far ? 0 : row - 1, column),
      ArrowDown: () => this.go(far ? this.model.rows - 1 : row + 1, column),
      ArrowLeft: () => this.go(row, far ? 0 : column - 1),
      ArrowRight: () => this.go(row, far ? this.model.columns - 1 : column + 1),
      Home: () => this.go(far ? 0 : row, 0),
      End: () => this.go(far ? this.model.rows - 1 : row, this.model.columns - 1),
      PageUp: () => this.go(row - page, column),
      PageDown: () => this.go(row + page, column),
      Enter: () => this.open(),
      " ": () => this.open(),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    move();
  }

  open() {
    if (this.model.rows && this.model.columns) this.onOpen(this.active.row, this.active.column);
  }

  click(event) {
    const element = event.target.closest("[role=gridcell]");
    if (!element) return;
    const row = Number(element.parentElement.getAttribute("aria-rowindex")) - 2;
    const column = Number(element.getAttribute("aria-colindex")) - 2;
    this.go(row, column);
    this.open();
  }
}
