package dev.understudy.relay.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;

/**
 * Makes what reads JSON that somebody else has written: callers, agents, other processes, applications.
 *
 * <p>A document's tree takes up to some 80 bytes for each token, whatever its length in bytes: {@code [[],[],…]} takes
 * thirty times its text. So tokens are bounded, and depth, names and strings are. Names aren't remembered from one
 * document to the next. A mapper is thread-safe.
 *
 * <p>A tree is for reading at once. What is kept are values taken out of it, or its bytes.
 */
public final class ForeignJson {
    /** Tokens of a document, where no other number is given. */
    public static final long TOKENS = 100_000;

    /** Tokens of documents that consist of numbers, such as stacks. */
    public static final long MANY_TOKENS = 500_000;

    private static final int DEEPEST = 64;
    private static final int LONGEST_NAME = 1_000;
    private static final int LONGEST_TEXT = 1 << 20;
    private static final int LONGEST_NUMBER = 400;

    private ForeignJson() {}

    /** Reads documents of at most {@link #TOKENS}. */
    public static ObjectMapper mapper() {
        return mapper(TOKENS);
    }

    /** Reads documents of at most {@code tokens}: names, values, and both ends of each object and array. */
    public static ObjectMapper mapper(long tokens) {
        StreamReadConstraints bounds = StreamReadConstraints.builder()
                .maxTokenCount(tokens)
                .maxNestingDepth(DEEPEST)
                .maxNameLength(LONGEST_NAME)
                .maxStringLength(LONGEST_TEXT)
                .maxNumberLength(LONGEST_NUMBER)
                .build();
        JsonFactory factory = JsonFactory.builder()
                .streamReadConstraints(bounds)
                .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
                .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
                .build();
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }
}
