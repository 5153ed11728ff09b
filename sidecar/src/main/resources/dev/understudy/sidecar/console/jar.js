// Class files out of the files that somebody chose, packed into a jar that has nothing else in it, as the port wants.

const MOST_FILES = 20_000;
const MOST_CLASSES = 2_000;
const MIB = 1024 * 1024;
const MOST_BYTES = 32 * MIB;
const MOST_PACKED = 4 * MIB;
const LARGEST_JAR = 64 * MIB;
const MAGIC = 0xcafebabe;
const ENTRY = 0x04034b50;
const LISTED = 0x02014b50;
const END = 0x06054b50;
const NAMES_IN_UTF8 = 0x0800;
const FIRST_DAY = 0x0021; // of 1980: the same classes make the same bytes
const DEFLATED = 8;

/** How many bytes follow the tag of a constant; text, which has a length of its own, is number 1. */
const CONSTANTS = new Map([
    ...[3, 4, 9, 10, 11, 12, 17, 18].map(tag => [tag, 4]),
    ...[7, 8, 16, 19, 20].map(tag => [tag, 2]),
    ...[5, 6].map(tag => [tag, 8]),
    [15, 3],
]);
const TEXT = 1;
const TAKES_TWO_PLACES = [5, 6];

/** A jar, and its classes' names with dots; throws an `Error` in plain words if the files have none, or too many. */
export async function packed(files) {
    const entries = new Map();
    const seen = { files: 0, room: MOST_BYTES };
    for (const file of files) {
        if (file.size > LARGEST_JAR) {
            throw new Error(`${file.name}: larger than 64 MiB (expected: a jar with the changed classes alone)`);
        }
        const bytes = new Uint8Array(await file.arrayBuffer());
        const found = file.name.endsWith('.class') ? [await single(file.name, bytes)] : ofJar(file.name, bytes);
        for (const entry of found) {
            seen.files++;
            if (isClass(entry.name)) {
                seen.room -= entry.size;
                entries.set(entry.name, entry);
            }
            if (seen.files > MOST_FILES || seen.room < 0 || entries.size > MOST_CLASSES) {
                throw new Error(
                    `${file.name}: with it more than 20 000 files, 2000 classes or 32 MiB of them ` +
                        '(expected: the changed classes alone)',
                );
            }
        }
    }
    if (entries.size === 0) {
        throw new Error('There are no class files in it (expected: .class files, or a jar with some).');
    }
    const sorted = [...entries.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
    const jar = written(sorted);
    if (jar.size > MOST_PACKED) {
        throw new Error('Packed they are more than 4 MiB (expected: the changed classes alone).');
    }
    return { jar, classes: sorted.map(entry => entry.name.slice(0, -'.class'.length).replaceAll('/', '.')) };
}

function isClass(name) {
    return name.endsWith('.class') && !name.startsWith('META-INF/') && !name.endsWith('module-info.class');
}

/** A class file, which has its package in itself. */
async function single(name, bytes) {
    let inner;
    try {
        inner = className(bytes);
    } catch (cut) {
        throw new Error(`${name}: no class file`);
    }
    const deflated = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate-raw'));
    return {
        name: `${inner}.class`,
        method: DEFLATED,
        crc: crc(bytes),
        size: bytes.length,
        bytes: new Uint8Array(await new Response(deflated).arrayBuffer()),
    };
}

/** By the table of constants; one that ends too early throws a `RangeError`. */
function className(bytes) {
    const view = new DataView(bytes.buffer);
    if (view.getUint32(0) !== MAGIC) {
        throw new RangeError('another kind of file');
    }
    const constants = view.getUint16(8);
    const places = [];
    let at = 10;
    for (let i = 1; i < constants; i++) {
        const tag = view.getUint8(at);
        const length = tag === TEXT ? 2 + view.getUint16(at + 1) : CONSTANTS.get(tag);
        if (length === undefined) {
            throw new RangeError('no constant');
        }
        places[i] = at + 1;
        at += 1 + length;
        i += TAKES_TWO_PLACES.includes(tag) ? 1 : 0;
    }
    const text = places[view.getUint16(places[view.getUint16(at + 2)])];
    return new TextDecoder('utf-8', { fatal: true }).decode(
        bytes.subarray(text + 2, text + 2 + view.getUint16(text)),
    );
}

/** What a jar lists at its end; nothing is unpacked. */
function ofJar(name, bytes) {
    try {
        const view = new DataView(bytes.buffer);
        let end = bytes.length - 22;
        while (view.getUint32(end, true) !== END) {
            end--;
        }
        const count = view.getUint16(end + 10, true);
        const entries = [];
        let at = view.getUint32(end + 16, true);
        for (let i = 0; i < count; i++) {
            if (view.getUint32(at, true) !== LISTED) {
                throw new RangeError('no entry');
            }
            const length = view.getUint16(at + 28, true);
            entries.push(entryOf(view, bytes, at, length));
            at += 46 + length + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
        }
        return entries;
    } catch (cut) {
        throw new Error(`${name}: no jar that can be read (expected: .class files, or a jar)`);
    }
}

function entryOf(view, bytes, at, length) {
    const from = view.getUint32(at + 42, true);
    const start = from + 30 + view.getUint16(from + 26, true) + view.getUint16(from + 28, true);
    const packedSize = view.getUint32(at + 20, true);
    if (start + packedSize > bytes.length) {
        throw new RangeError('cut off');
    }
    return {
        name: new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + length)),
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        size: view.getUint32(at + 24, true),
        bytes: bytes.subarray(start, start + packedSize),
    };
}

/** A jar of entries that are packed already. */
function written(entries) {
    const parts = [];
    const list = [];
    let at = 0;
    for (const entry of entries) {
        const name = new TextEncoder().encode(entry.name);
        const shared = [
            [2, 20],
            [2, NAMES_IN_UTF8],
            [2, entry.method],
            [2, 0],
            [2, FIRST_DAY],
            [4, entry.crc],
            [4, entry.bytes.length],
            [4, entry.size],
            [2, name.length],
            [2, 0],
        ];
        const head = numbers([[4, ENTRY], ...shared]);
        list.push(numbers([[4, LISTED], [2, 20], ...shared, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]]), name);
        parts.push(head, name, entry.bytes);
        at += head.length + name.length + entry.bytes.length;
    }
    const listed = list.reduce((sum, part) => sum + part.length, 0);
    const count = entries.length;
    const end = numbers([[4, END], [2, 0], [2, 0], [2, count], [2, count], [4, listed], [4, at], [2, 0]]);
    return new Blob([...parts, ...list, end], { type: 'application/java-archive' });
}

/** Each in that many bytes, the lowest first. */
function numbers(fields) {
    const bytes = new Uint8Array(fields.reduce((sum, [width]) => sum + width, 0));
    let at = 0;
    for (const [width, number] of fields) {
        for (let i = 0; i < width; i++) {
            bytes[at++] = (number >>> (8 * i)) & 0xff;
        }
    }
    return bytes;
}

function crc(bytes) {
    let sum = ~0;
    for (const byte of bytes) {
        sum ^= byte;
        for (let bit = 0; bit < 8; bit++) {
            sum = (sum >>> 1) ^ (0xedb88320 & -(sum & 1));
        }
    }
    return ~sum >>> 0;
}
