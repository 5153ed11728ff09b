package dev.understudy.divergence.compare.body;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.async.ByteArrayFeeder;
import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.Sha256;
import dev.understudy.divergence.content.TimeStamps;
import dev.understudy.divergence.noise.ValueClass;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a JSON text says, read as it arrives and kept in bounded memory: a hash of all that stands in it, in its order,
 * but for blanks, the spelling of strings, and the first {@value #KEPT} time stamps and UUIDs, which are kept
 * themselves. Confined to one thread until it is read.
 */
public final class StreamedJson implements StreamedBody {
    private static final int KEPT = 256;
    private static final int LONGEST = 64;
    private static final int LONGEST_NAME = 64;
    private static final int OVERHEAD = 64 << 10;
    private static final int HTTP_DATE = 29;
    private static final int UUID = 36;
    private static final byte DIFFERS = -1; // the number of no token
    private static final int OF_A_VALUE = 512;

    private final MessageDigest said = Sha256.digest();
    private final CharsetDecoder utf8 = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .onUnmappableCharacter(CodingErrorAction.REPORT);
    private final CharBuffer characters = CharBuffer.allocate(4096);
    private final byte[] split = new byte[8];
    private int splitLength;
    private final byte[] pending = new byte[8192];
    private int waiting;
    private final List<Said.Value> values = new ArrayList<>();
    private final StringBuilder name = new StringBuilder();
    private @Nullable JsonParser parser;
    private int roots;

    public StreamedJson() {
        try {
            parser = JsonText.arriving();
        } catch (IOException e) {
            parser = null;
        }
    }

    @Override
    public void feed(byte[] bytes, int from, int length) {
        JsonParser reader = parser;
        if (reader == null) {
            return;
        }
        try {
            if (!isUtf8(bytes, from, length)) {
                giveUp();
                return;
            }
            ((ByteArrayFeeder) reader.getNonBlockingInputFeeder()).feedInput(bytes, from, from + length);
            read(reader);
        } catch (IOException | RuntimeException malformed) {
            giveUp();
        }
    }

    @Override
    public int heldBytes() {
        return parser == null ? 0 : OVERHEAD + KEPT * OF_A_VALUE;
    }

    /** Null if it isn't exactly one JSON text. */
    @Override
    public @Nullable Said end() {
        JsonParser reader = parser;
        if (reader == null || splitLength > 0) {
            return null;
        }
        try {
            ((ByteArrayFeeder) reader.getNonBlockingInputFeeder()).endOfInput();
            read(reader);
            said.update(pending, 0, waiting);
            return roots == 1 && reader.getParsingContext().inRoot() ? new Said(said.digest(), values) : null;
        } catch (IOException | RuntimeException malformed) {
            return null;
        } finally {
            giveUp();
        }
    }

    private void giveUp() {
        JsonText.close(parser);
        parser = null;
        values.clear();
    }

    private void read(JsonParser reader) throws IOException {
        for (JsonToken token = reader.nextToken();
                token != null && token != JsonToken.NOT_AVAILABLE;
                token = reader.nextToken()) {
            if (reader.getParsingContext().inRoot() && token != JsonToken.FIELD_NAME) {
                roots += token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY ? 0 : 1;
            }
            take(reader, token);
        }
    }

    private void take(JsonParser reader, JsonToken token) throws IOException {
        if (token == JsonToken.FIELD_NAME) {
            char[] field =
                    reader.currentName().toCharArray(); // the characters of its text may be those of an earlier name
            name.setLength(0);
            name.append(field, 0, Math.min(LONGEST_NAME, field.length));
            say(token, field, 0, field.length);
        } else if (token == JsonToken.VALUE_STRING || token.isNumeric()) {
            char[] text = reader.getTextCharacters();
            int from = reader.getTextOffset();
            int length = reader.getTextLength();
            if (values.size() < KEPT && mayDiffer(text, from, length)) {
                boolean quoted = token == JsonToken.VALUE_STRING;
                values.add(new Said.Value(name.toString(), 0, 0, new String(text, from, length), quoted));
                put(DIFFERS);
                put((byte) token.id());
            } else {
                say(token, text, from, length);
            }
        } else {
            put((byte) token.id());
        }
    }

    /** Looks at the first character before anything else: most values are told apart by that. */
    private static boolean mayDiffer(char[] text, int from, int length) {
        if (length < 10 || length > LONGEST) {
            return false;
        }
        boolean digit = text[from] >= '0' && text[from] <= '9';
        boolean date = length == HTTP_DATE && text[from + 3] == ',';
        if (digit || date) {
            String whole = new String(text, from, length);
            return TimeStamps.stamp(whole) != null || ValueClass.of(whole) == ValueClass.UUID;
        }
        return length == UUID
                && text[from + 8] == '-'
                && ValueClass.of(new String(text, from, length)) == ValueClass.UUID;
    }

    /** Token, length and text, so that no two streams of tokens are the same bytes. */
    private void say(JsonToken token, char[] text, int from, int length) {
        put((byte) token.id());
        put((byte) (length >>> 24));
        put((byte) (length >>> 16));
        put((byte) (length >>> 8));
        put((byte) length);
        for (int i = from; i < from + length; i++) {
            put((byte) (text[i] >>> 8));
            put((byte) text[i]);
        }
    }

    private void put(byte next) {
        if (waiting == pending.length) {
            said.update(pending, 0, waiting);
            waiting = 0;
        }
        pending[waiting++] = next;
    }

    /** Whether these bytes go on well; the parser takes some that are no UTF-8. */
    private boolean isUtf8(byte[] bytes, int from, int length) {
        if (splitLength == 0 && isAscii(bytes, from, length)) {
            return true;
        }
        ByteBuffer input = ByteBuffer.wrap(bytes, from, length);
        while (splitLength > 0 && input.hasRemaining()) {
            split[splitLength++] = input.get();
            ByteBuffer whole = ByteBuffer.wrap(split, 0, splitLength);
            characters.clear();
            if (utf8.decode(whole, characters, false).isError() || splitLength == split.length) {
                return false;
            }
            splitLength = whole.hasRemaining() ? splitLength : 0;
        }
        while (input.hasRemaining()) {
            characters.clear();
            if (utf8.decode(input, characters, false).isError()) {
                return false;
            }
            if (characters.position() == 0) { // the beginning of a character
                splitLength = input.remaining();
                input.get(split, 0, splitLength);
            }
        }
        return true;
    }

    private static boolean isAscii(byte[] bytes, int from, int length) {
        int any = 0;
        for (int i = from; i < from + length; i++) {
            any |= bytes[i];
        }
        return any >= 0;
    }
}
