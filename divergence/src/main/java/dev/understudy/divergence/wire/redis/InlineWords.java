package dev.understudy.divergence.wire.redis;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Splits an inline command into its words, as Redis does: blanks between words, and quotes within them. */
final class InlineWords {
    private final byte[] bytes;
    private final int end;
    private int at;

    private InlineWords(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.at = from;
        this.end = from + length;
    }

    static RespValue.Inline split(byte[] bytes, int from, int length) throws MalformedRespException {
        InlineWords line = new InlineWords(bytes, from, length);
        List<byte[]> words = new ArrayList<>();
        for (line.skipBlanks(); line.at < line.end; line.skipBlanks()) {
            words.add(line.word());
        }
        return new RespValue.Inline(words);
    }

    private void skipBlanks() {
        while (at < end && blank(bytes[at])) {
            at++;
        }
    }

    private byte[] word() throws MalformedRespException {
        ByteArrayOutputStream word = new ByteArrayOutputStream();
        while (at < end && !blank(bytes[at])) {
            byte one = bytes[at++];
            if (one == '"' || one == '\'') {
                quoted(one, word);
                if (at < end && !blank(bytes[at])) {
                    throw new MalformedRespException("unbalanced quotes");
                }
            } else {
                word.write(one);
            }
        }
        return word.toByteArray();
    }

    private void quoted(byte quote, ByteArrayOutputStream word) throws MalformedRespException {
        while (at < end) {
            byte one = bytes[at++];
            if (one == quote) {
                return;
            }
            if (one != '\\' || at == end) {
                word.write(one);
            } else if (quote == '"') {
                word.write(escaped());
            } else if (bytes[at] == '\'') {
                word.write(bytes[at++]);
            } else {
                word.write(one);
            }
        }
        throw new MalformedRespException("unbalanced quotes");
    }

    private int escaped() {
        byte one = bytes[at++];
        if (one == 'x' && end - at >= 2 && hex(at) >= 0 && hex(at + 1) >= 0) {
            int value = 16 * hex(at) + hex(at + 1);
            at += 2;
            return value;
        }
        return switch (one) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> one;
        };
    }

    private int hex(int index) {
        return Character.digit(bytes[index], 16);
    }

    private static boolean blank(byte one) {
        return one == ' ' || one == '\t' || one == '\r' || one == 0x0b || one == 0x0c;
    }
}
