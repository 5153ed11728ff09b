package dev.understudy.standin.learn;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.SampleReservoir;
import dev.understudy.standin.value.ValueLearner;
import dev.understudy.standin.value.ValueModel;
import java.io.IOException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Learns what the bodies of one kind look like: their sizes, and of JSON what is in them. */
final class BodyLearner {
    /** Documents that are looked into; sizes are taken of all. */
    private static final int MOST_DOCUMENTS = 2000;

    private static final int SAMPLES = 2000;
    private static final int MOST_TYPES = 16;
    private static final Pattern TYPE = Pattern.compile("[a-z]+/[a-z0-9.+-]{1,60}");
    private static final ObjectMapper JSON = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    private final SampleReservoir sizes = new SampleReservoir(SAMPLES);
    private final ValueLearner documents = new ValueLearner();
    private final Map<String, Integer> types = new HashMap<>();
    private long documentCount;
    private long unread;

    /**
     * Adds a body.
     *
     * @param contentType as sent, or null
     * @param coding of its content, or null
     * @param body its first bytes
     * @param length of all of it
     */
    void add(@Nullable String contentType, @Nullable String coding, byte[] body, long length) {
        sizes.add((double) length);
        if (length == 0) {
            return;
        }
        String type = plain(contentType);
        if (!type.isEmpty() && (types.size() < MOST_TYPES || types.containsKey(type))) {
            types.merge(type, 1, Integer::sum);
        }
        boolean json = type.equals("application/json") || type.endsWith("+json");
        if (!json || documentCount >= MOST_DOCUMENTS) {
            return;
        }
        JsonNode document = coding == null && body.length == length ? parsed(body) : null;
        if (document == null) {
            unread++;
        } else {
            documentCount++;
            documents.add(document);
        }
    }

    private static @Nullable JsonNode parsed(byte[] body) {
        try {
            return JSON.readTree(body);
        } catch (JsonProcessingException noJson) {
            return null;
        } catch (IOException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Without parameters; what doesn't look like a type is left out, since it may hold anything. */
    private static String plain(@Nullable String contentType) {
        if (contentType == null) {
            return "";
        }
        int end = contentType.indexOf(';');
        String type =
                (end < 0 ? contentType : contentType.substring(0, end)).trim().toLowerCase(Locale.ROOT);
        return TYPE.matcher(type).matches() ? type : "application/octet-stream";
    }

    Quantiles size() {
        return sizes.quantiles();
    }

    /** The most frequent one; empty if there are no bodies. */
    String contentType() {
        return types.entrySet().stream()
                .max(Map.Entry.<String, Integer>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    /** What the JSON looks like; null where most bodies could not be read as JSON. */
    @Nullable
    ValueModel body() {
        return documentCount > unread ? documents.model() : null;
    }
}
