// A long list of which only the rows that can be seen exist.
import { h, Component } from './preact.js';

const ROW = 34;
const SPARE = 8;

export class VirtualList extends Component {
    componentDidMount() {
        this.observer = new ResizeObserver(() => this.setState({ height: this.box.clientHeight }));
        this.observer.observe(this.box);
    }

    componentWillUnmount() {
        this.observer.disconnect();
        cancelAnimationFrame(this.frame);
    }

    scrolled() {
        cancelAnimationFrame(this.frame);
        this.frame = requestAnimationFrame(() => {
            const top = this.box.scrollTop;
            this.setState({ top });
            this.props.onScroll(top, this.props.rows.length * ROW - top - this.box.clientHeight < 10 * ROW);
        });
    }

    toTop() {
        this.box.scrollTop = 0;
    }

    /** Brings a row into view. */
    reveal(index) {
        const top = index * ROW;
        if (top < this.box.scrollTop) {
            this.box.scrollTop = top;
        } else if (top + ROW > this.box.scrollTop + this.box.clientHeight) {
            this.box.scrollTop = top + ROW - this.box.clientHeight;
        }
    }

    render({ rows, row, label }, { top = 0, height = 600 }) {
        const first = Math.max(0, Math.floor(top / ROW) - SPARE);
        const last = Math.min(rows.length, Math.ceil((top + height) / ROW) + SPARE);
        const shown = [];
        for (let i = first; i < last; i++) {
            shown.push(
                h(
                    'div',
                    { key: rows[i].number, class: 'row', role: 'listitem', style: { top: `${i * ROW}px` } },
                    row(rows[i], i),
                ),
            );
        }
        return h(
            'div',
            {
                class: 'rows',
                tabindex: 0,
                role: 'region',
                'aria-label': label,
                ref: box => {
                    this.box = box;
                },
                onScroll: () => this.scrolled(),
            },
            h(
                'div',
                {
                    role: 'list',
                    'aria-label': label,
                    style: { height: `${Math.max(1, rows.length) * ROW}px`, position: 'relative' },
                },
                shown,
            ),
        );
    }
}
