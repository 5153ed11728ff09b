package dev.understudy.aggregator.http.stub;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.divergence.wire.http.Header;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads what a stub answers. */
final class ReplyReader {
    private static final int LONGEST_DELAY_MILLIS = 600_000;
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern LINE = Pattern.compile("[^\\p{Cntrl}]*");

    /** They tell how a reply's end is found, which depends on the connection that it is sent on. */
    private static final Set<String> FRAMING =
            Set.of("content-length", "transfer-encoding", "connection", "keep-alive", "trailer");

    private static final List<String> BODIES = List.of("body", "jsonBody", "base64Body", "bodyFileName");
    private static final Set<String> OTHERS =
            Set.of("status", "statusMessage", "headers", "fixedDelayMilliseconds", "transformers");

    private final StubProblems problems;
    private final Bodies bodies;

    ReplyReader(StubProblems problems, Bodies bodies) {
        this.problems = problems;
        this.bodies = bodies;
    }

    /** Reads a file that a stub names. */
    interface Bodies {
        byte[] read(String name) throws IOException;
    }

    StubReply read(StubPlace response) {
        response.only(OTHERS, Set.copyOf(BODIES));
        if (!response.list("transformers").isEmpty()) {
            response.problem("transformers", "aren't supported: the reply would be another one");
        }
        if (BODIES.stream().filter(response::has).count() > 1) {
            response.problem("body", "(expected: only one of " + String.join(", ", BODIES) + ")");
        }
        int status = response.number("status", 200, 200, 599);
        byte[] body = body(response);
        if ((status == 204 || status == 304) && body.length > 0) {
            response.problem("body", "(expected: none, as a reply with status " + status + " has none)");
        }
        String phrase = response.text("statusMessage", "");
        if (!LINE.matcher(phrase).matches()) {
            response.problem("statusMessage", "(expected: one line)");
            phrase = "";
        }
        return new StubReply(
                status,
                phrase,
                headers(response.inner("headers")),
                body,
                response.number("fixedDelayMilliseconds", 0, 0, LONGEST_DELAY_MILLIS));
    }

    private List<Header> headers(StubPlace place) {
        List<Header> headers = new ArrayList<>();
        for (Map.Entry<String, JsonNode> header : place.entries()) {
            String name = header.getKey();
            if (FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
                problems.note(place.at(name), "left out: a stub's reply says itself where it ends");
                continue;
            }
            List<JsonNode> values = header.getValue().isArray() ? place.list(name) : List.of(header.getValue());
            for (JsonNode value : values) {
                if (!value.isTextual()
                        || !NAME.matcher(name).matches()
                        || !LINE.matcher(value.asText()).matches()) {
                    place.problem(name, "(expected: a header's name, and a line of text or a list of such)");
                } else {
                    headers.add(new Header(name, value.asText()));
                }
            }
        }
        return List.copyOf(headers);
    }

    private byte[] body(StubPlace response) {
        if (response.has("jsonBody")) {
            return response.raw("jsonBody").toString().getBytes(StandardCharsets.UTF_8);
        }
        if (response.has("base64Body")) {
            return response.base64("base64Body");
        }
        if (response.has("bodyFileName")) {
            String name = response.text("bodyFileName", "");
            try {
                return bodies.read(name);
            } catch (IOException | RuntimeException wrong) {
                response.problem("bodyFileName", name + " " + wrong.getMessage());
                return new byte[0];
            }
        }
        return response.text("body", "").getBytes(StandardCharsets.UTF_8);
    }
}
