// What differs between two texts. Bounded: of longer ones only what both begin and end with is left unmarked.

const MOST_CELLS = 250_000;

/** Lists [production item | null, debug item | null] in order, with equal ones side by side. */
export function align(left, right) {
    let start = 0;
    while (start < left.length && start < right.length && left[start] === right[start]) {
        start++;
    }
    let end = 0;
    while (
        end < left.length - start &&
        end < right.length - start &&
        left[left.length - 1 - end] === right[right.length - 1 - end]
    ) {
        end++;
    }
    const pairs = [];
    for (let i = 0; i < start; i++) {
        pairs.push([left[i], right[i]]);
    }
    pairs.push(...middle(left.slice(start, left.length - end), right.slice(start, right.length - end)));
    for (let i = end; i > 0; i--) {
        pairs.push([left[left.length - i], right[right.length - i]]);
    }
    return pairs;
}

function middle(left, right) {
    const removed = [];
    const added = [];
    const pairs = [];
    const flush = () => {
        for (let i = 0; i < Math.max(removed.length, added.length); i++) {
            pairs.push([removed[i] ?? null, added[i] ?? null]);
        }
        removed.length = 0;
        added.length = 0;
    };
    if (left.length * right.length > MOST_CELLS) {
        removed.push(...left);
        added.push(...right);
        flush();
        return pairs;
    }
    const lengths = longestCommon(left, right);
    let i = 0;
    let j = 0;
    while (i < left.length || j < right.length) {
        if (i < left.length && j < right.length && left[i] === right[j]) {
            flush();
            pairs.push([left[i++], right[j++]]);
        } else if (j >= right.length || (i < left.length && lengths[i + 1][j] >= lengths[i][j + 1])) {
            removed.push(left[i++]);
        } else {
            added.push(right[j++]);
        }
    }
    flush();
    return pairs;
}

function longestCommon(left, right) {
    const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
    for (let i = left.length - 1; i >= 0; i--) {
        for (let j = right.length - 1; j >= 0; j--) {
            lengths[i][j] =
                left[i] === right[j] ? lengths[i + 1][j + 1] + 1 : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
        }
    }
    return lengths;
}

/** Both texts as parts [text, whether only this side has it]. */
export function marked(left, right) {
    const words = text => text.match(/[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
    const parts = [[], []];
    const add = (side, text, marks) => {
        const last = parts[side][parts[side].length - 1];
        if (last !== undefined && last[1] === marks) {
            last[0] += text;
        } else {
            parts[side].push([text, marks]);
        }
    };
    for (const [ours, theirs] of align(words(left), words(right))) {
        const same = ours === theirs;
        if (ours !== null) {
            add(0, ours, !same);
        }
        if (theirs !== null) {
            add(1, theirs, !same);
        }
    }
    return parts;
}
