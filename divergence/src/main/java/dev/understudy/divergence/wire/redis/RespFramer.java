package dev.understudy.divergence.wire.redis;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the bytes that one side of a Redis connection sends into RESP values: one loop over one buffer, so one class.
 * Confined to one thread.
 *
 * <p>Every byte is looked at once, whatever the chunking; what a length announces is allocated only as it arrives.
 *
 * <p>Format: https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
public final class RespFramer {
    private static final String TYPES = "+-:$*_#,(!=%~>|";
    private static final int MAX_INLINE = 64 * 1024;
    private static final int MAX_DEPTH = 64;
    private static final int ROOMY = 16 * 1024;

    /** Memory of an item besides its bytes: the value, its array or text, its place in a list. */
    private static final long PER_ITEM = 48;

    private final RespSink sink;
    private final int maxBytes;
    private final long whole;
    private final ArrayDeque<RespNesting> nesting = new ArrayDeque<>();

    /** Bytes of the value being read, from {@code begin}; those before {@code next} are parsed. */
    private byte[] bytes = new byte[256];

    private int begin;

    /** Where the value began that is handed over; it ends at {@code begin}. */
    private int told;

    private int next;
    private int end;

    /** Up to here there is no line end after {@code next}. */
    private int scanned;

    /** The blob whose bytes are awaited: its type, else 0. */
    private char blob;

    private int blobLength;

    /** Whether the value is told in pieces; then all before {@code next} is told. */
    private boolean large;

    /** How many items of the value being read are complete and kept. */
    private int items;

    /** Whether it was asked for this value if it shall be. */
    private boolean asked;

    /** Bytes that are left of a string in such a value, with its line end; 0 if there is none. */
    private long streaming;

    private @Nullable String unframed;

    private final RespSink.Sent sent = new RespSink.Sent() {
        @Override
        public int length() {
            return begin - told;
        }

        @Override
        public byte[] bytes() {
            return Arrays.copyOfRange(bytes, told, begin);
        }
    };

    /** @param maxBytes the longest value kept, in wire bytes; a longer one leaves the connection unframed */
    public RespFramer(RespSink sink, int maxBytes) {
        this(sink, maxBytes, maxBytes);
    }

    /**
     * Makes a framer that can tell values in pieces.
     *
     * @param maxBytes the longest value kept, in wire bytes; a longer one that isn't told in pieces leaves the
     *     connection unframed
     * @param whole wire bytes from which on it asks whether a value shall be told in pieces
     */
    public RespFramer(RespSink sink, int maxBytes, long whole) {
        if (maxBytes <= 0) {
            throw new IllegalArgumentException("maxBytes: " + maxBytes + " (expected: > 0)");
        }
        this.sink = sink;
        this.maxBytes = maxBytes;
        this.whole = whole;
    }

    /** Takes all remaining bytes; the buffer may be reused afterwards. */
    public void feed(ByteBuffer fed) {
        append(fed);
        if (unframed == null) {
            try {
                while (step()) {
                    bounded(next - begin);
                }
                bounded(end - begin);
            } catch (MalformedRespException e) {
                unframed = e.getMessage();
            }
        }
        if (unframed != null) {
            giveUp(unframed);
        } else if (begin == end && bytes.length > ROOMY) {
            bytes = new byte[ROOMY]; // the memory of a large value isn't kept for the next one
            begin = 0;
            next = 0;
            end = 0;
            scanned = 0;
        }
    }

    /** Bytes fed that belong to a value not complete yet. */
    public int heldBytes() {
        return end - begin;
    }

    /** Memory that this takes, the items included that are parsed already. */
    public long heldMemory() {
        return bytes.length + (items == 0 ? 0 : next - begin) + PER_ITEM * (items + nesting.size());
    }

    /** The sender has ended its direction; a value that isn't complete becomes unframed. */
    public void end() {
        if (unframed == null && (end > begin || large)) {
            unframed = "ended within a value";
            giveUp(unframed);
        }
    }

    private void giveUp(String reason) {
        byte[] remaining = Arrays.copyOfRange(bytes, begin, end);
        bytes = new byte[0];
        begin = 0;
        next = 0;
        end = 0;
        nesting.clear();
        items = 0;
        sink.unframed(reason, remaining);
    }

    private void append(ByteBuffer fed) {
        int length = fed.remaining();
        if (end + length > bytes.length) {
            int kept = end - begin;
            int roomy = Math.max(256, Math.addExact(kept + kept / 2, length));
            byte[] moved = bytes.length >= kept + length && begin > bytes.length / 2 ? bytes : new byte[roomy];
            System.arraycopy(bytes, begin, moved, 0, kept);
            bytes = moved;
            next -= begin;
            scanned -= begin;
            end = kept;
            begin = 0;
        }
        fed.get(bytes, end, length);
        end += length;
    }

    /** Reads one line or one blob; false if more bytes are needed. */
    private boolean step() throws MalformedRespException {
        if (streaming > 0) {
            return stepString();
        }
        if (blob != 0) {
            return stepBlob();
        }
        if (next == end) {
            return false;
        }
        char type = (char) (bytes[next] & 0xff);
        boolean inline = TYPES.indexOf(type) < 0;
        if (inline && !nesting.isEmpty()) {
            throw new MalformedRespException("unknown type " + printable(type));
        }
        int lineEnd = lineEnd(inline);
        if (lineEnd < 0) {
            RespScalars.check(
                    !inline || end - next <= MAX_INLINE, "an inline command of more than " + MAX_INLINE + " bytes");
            return false;
        }
        int from = next;
        next = lineEnd + 1;
        scanned = next;
        int length = (lineEnd > from && bytes[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd) - from;
        if (inline) {
            complete(InlineWords.split(bytes, from, length));
        } else {
            RespScalars.check(bytes[lineEnd - 1] == '\r', "a line without CR LF");
            line(type, from + 1, length - 1);
        }
        tell();
        return true;
    }

    private int lineEnd(boolean inline) throws MalformedRespException {
        for (int i = Math.max(scanned, next); i < end; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
            RespScalars.check(inline || i == next || bytes[i - 1] != '\r', "a CR within a line");
        }
        scanned = end;
        return -1;
    }

    private void line(char type, int from, int length) throws MalformedRespException {
        switch (type) {
            case '$', '!', '=' -> openBlob(type, RespScalars.number(bytes, from, length));
            case '*', '%', '~', '>', '|' -> openNesting(type, RespScalars.number(bytes, from, length));
            default -> complete(RespScalars.line(type, bytes, from, length));
        }
    }

    private void openBlob(char type, long length) throws MalformedRespException {
        if (length == -1 && type == '$') {
            complete(new RespValue.Bulk(null));
            return;
        }
        RespScalars.check(length >= 0, "negative length");
        RespScalars.check(length < Long.MAX_VALUE / 2, "a string longer than there can be");
        if (large || begins(type, next - begin + length + 2)) {
            streaming = length + 2;
            return;
        }
        bounded(length);
        blob = type;
        blobLength = (int) length;
    }

    private boolean stepString() throws MalformedRespException {
        next += (int) Math.min(end - next, streaming - 2);
        streaming -= next - begin;
        tell();
        if (streaming > 2 || end - next < 2) {
            return false;
        }
        RespScalars.check(bytes[next] == '\r' && bytes[next + 1] == '\n', "a string longer than announced");
        next += 2;
        streaming = 0;
        complete(new RespValue.Null());
        return true;
    }

    /** Whether the value is told in pieces, now that it is known to have so many bytes. */
    private boolean begins(char type, long atLeast) {
        if (large || asked || atLeast <= whole) {
            return large;
        }
        asked = true;
        RespNesting root = nesting.peekLast();
        large = sink.largeBegins(root == null ? type : root.type(), root == null ? List.of() : root.items(), atLeast);
        if (large) {
            nesting.forEach(RespNesting::forget);
            items = 0;
            tell();
        }
        return large;
    }

    /** Hands on what was read of a value that is told in pieces. */
    private void tell() {
        if (large && next > begin) {
            sink.piece(ByteBuffer.wrap(bytes, begin, next - begin).slice());
        }
        if (large) {
            begin = next;
            scanned = next;
        }
    }

    private boolean stepBlob() throws MalformedRespException {
        if (end - next < blobLength + 2) {
            return false;
        }
        int after = next + blobLength;
        RespScalars.check(bytes[after] == '\r' && bytes[after + 1] == '\n', "a string longer than announced");
        byte[] content = Arrays.copyOfRange(bytes, next, after);
        char type = blob;
        next = after + 2;
        scanned = next;
        blob = 0;
        complete(RespScalars.blob(type, content));
        return true;
    }

    private void openNesting(char type, long count) throws MalformedRespException {
        if (count == -1 && type == '*') {
            complete(new RespValue.Array(null));
            return;
        }
        RespScalars.check(count >= 0, "negative length");
        // An item is 3 bytes at least.
        long least = 3 * Math.min(count, Integer.MAX_VALUE);
        if (!begins(type, least)) {
            bounded(least);
        }
        RespScalars.check(count < Long.MAX_VALUE / 4, "a value of more items than there can be");
        RespScalars.check(nesting.size() < MAX_DEPTH, "nested deeper than " + MAX_DEPTH);
        RespNesting opened = new RespNesting(type, count);
        if (large) {
            opened.forget();
        }
        if (opened.full()) {
            complete(opened.value());
        } else {
            nesting.push(opened);
        }
    }

    private void complete(RespValue value) throws MalformedRespException {
        RespValue completed = value;
        for (RespNesting around = nesting.peek(); around != null; around = nesting.peek()) {
            around.add(completed);
            items += large ? 0 : 1;
            if (!around.full()) {
                begins(around.type(), next - begin);
                return;
            }
            nesting.pop();
            completed = around.value();
        }
        asked = false;
        items = 0;
        if (large) {
            tell();
            large = false;
            sink.largeEnds();
            return;
        }
        bounded(next - begin);
        told = begin;
        begin = next;
        sink.value(completed, sent);
    }

    private static String printable(char type) {
        return type > ' ' && type < 0x7f ? "'" + type + "'" : "0x" + Integer.toHexString(type);
    }

    private void bounded(long length) throws MalformedRespException {
        if (length > maxBytes) {
            throw new MalformedRespException("a value of more than " + maxBytes + " bytes");
        }
    }
}
