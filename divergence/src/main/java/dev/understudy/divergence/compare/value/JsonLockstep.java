package dev.understudy.divergence.compare.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.understudy.divergence.compare.Difference;
import dev.understudy.divergence.compare.Differences;
import dev.understudy.divergence.compare.Noise;
import dev.understudy.divergence.compare.ValueNoise;
import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.identity.IdentityDraft;
import java.io.IOException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads two JSON texts side by side without building trees, as long as they have the same shape and differ in noise
 * only: the usual case, and several times faster than {@link JsonComparison}, which decides all others.
 */
public final class JsonLockstep {

    private final IdentityDraft identities;
    private final ValueNoise noise;
    private final Differences differences;
    private final StringBuilder path = new StringBuilder();
    private final JsonParser production;
    private final JsonParser debug;

    private JsonLockstep(
            IdentityDraft identities,
            ValueNoise noise,
            Differences differences,
            JsonParser production,
            JsonParser debug) {
        this.identities = identities;
        this.noise = noise;
        this.differences = differences;
        this.production = production;
        this.debug = debug;
    }

    /**
     * Whether both are exactly one JSON text of the same shape in which only noise differs, which is then reported;
     * if not, nothing that was reported counts.
     */
    public static boolean compare(
            String root,
            IdentityDraft identities,
            ValueNoise noise,
            Differences differences,
            byte[] ours,
            byte[] theirs) {
        JsonParser production = null;
        JsonParser debug = null;
        try {
            production = JsonText.parser(ours);
            debug = JsonText.parser(theirs);
            if (production == null || debug == null) {
                return false;
            }
            production.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION); // one is enough: the names are equal
            JsonLockstep lockstep = new JsonLockstep(identities, noise, differences, production, debug);
            lockstep.path.append(root);
            JsonToken token = production.nextToken();
            return token != null
                    && token == debug.nextToken()
                    && lockstep.value(root, token)
                    && production.nextToken() == null
                    && debug.nextToken() == null;
        } catch (IOException | IllegalStateException e) {
            return false;
        } finally {
            JsonText.close(production);
            JsonText.close(debug);
        }
    }

    /** Both parsers stand on the token; afterwards on the last one of the value. */
    private boolean value(String place, JsonToken token) throws IOException {
        return switch (token) {
            case START_OBJECT -> members();
            case START_ARRAY -> items(place);
            case VALUE_STRING, VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> scalar(place, token);
            case VALUE_TRUE, VALUE_FALSE, VALUE_NULL -> true;
            default -> false;
        };
    }

    private boolean members() throws IOException {
        int length = path.length();
        while (production.nextToken() == JsonToken.FIELD_NAME) {
            if (debug.nextToken() != JsonToken.FIELD_NAME) {
                return false;
            }
            String name = production.currentName();
            JsonToken token = production.nextToken();
            if (!name.equals(debug.currentName()) || token == null || token != debug.nextToken()) {
                return false;
            }
            JsonComparison.appendName(path, name);
            if (!value(name, token)) {
                return false;
            }
            path.setLength(length);
        }
        return production.currentToken() == JsonToken.END_OBJECT && debug.nextToken() == JsonToken.END_OBJECT;
    }

    private boolean items(String place) throws IOException {
        int length = path.length();
        int index = 0;
        JsonToken token = production.nextToken();
        while (token != null && token == debug.nextToken()) {
            if (token == JsonToken.END_ARRAY) {
                return true;
            }
            path.append('[').append(index++).append(']');
            if (!value(place, token)) {
                return false;
            }
            path.setLength(length);
            token = production.nextToken();
        }
        return false;
    }

    private boolean scalar(String place, JsonToken token) throws IOException {
        boolean text = token == JsonToken.VALUE_STRING;
        int length = production.getTextLength();
        if (length == debug.getTextLength() && equalText(length)) {
            if (text && length >= IdentityDraft.SHORTEST) {
                identities.sharedAt(path, production.getText());
            }
            return true;
        }
        String ours = production.getText();
        String theirs = debug.getText();
        Noise why = text ? noise.ofTextAt(path, place, ours, theirs) : noise.ofNumber(ours, theirs);
        if (why != null) {
            differences.noise(path.toString(), Difference.Type.VALUE, shown(ours, text), shown(theirs, text), why);
        }
        return why != null;
    }

    private boolean equalText(int length) throws IOException {
        int start = production.getTextOffset();
        int other = debug.getTextOffset();
        return Arrays.equals(
                production.getTextCharacters(),
                start,
                start + length,
                debug.getTextCharacters(),
                other,
                other + length);
    }

    private static @Nullable String shown(String value, boolean text) {
        return text ? '"' + value + '"' : value;
    }
}
