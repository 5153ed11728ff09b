package dev.understudy.aggregator.http.stub;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns documents of WireMock's format into stubs; says of all that it doesn't take where it stands. */
final class StubReader {
    private static final int DEFAULT_PRIORITY = 5;

    /** What describes a stub, and changes nothing about its replies. */
    private static final Set<String> ABOUT = Set.of("id", "uuid", "name", "metadata", "persistent", "insertionIndex");

    private static final Set<String> REQUEST = Set.of(
            "method",
            "url",
            "urlPattern",
            "urlPath",
            "urlPathPattern",
            "queryParameters",
            "headers",
            "cookies",
            "basicAuthCredentials",
            "bodyPatterns");

    private final StubProblems problems;
    private final ReplyReader replies;

    StubReader(StubProblems problems, ReplyReader.Bodies bodies) {
        this.problems = problems;
        this.replies = new ReplyReader(problems, bodies);
    }

    /** Reads the stubs of one file: a single one, or several as {@code mappings}. */
    List<Stub> read(String file, JsonNode document) {
        List<Stub> stubs = new ArrayList<>();
        if (!document.has("mappings")) {
            stubs.add(stub(file, file + ": ", document));
            return stubs;
        }
        StubPlace top = new StubPlace(problems, file + ": ", document);
        top.only(Set.of("mappings", "meta"));
        int index = 0;
        for (JsonNode each : top.list("mappings")) {
            stubs.add(stub(file + " " + (index + 1), file + ": mappings[" + index++ + "].", each));
        }
        return stubs;
    }

    private Stub stub(String name, String path, JsonNode node) {
        StubPlace stub = new StubPlace(problems, path, node);
        stub.only(ABOUT, Set.of("priority", "request", "response"));
        if (!node.has("request") || !node.has("response")) {
            stub.problem("request", "(expected: a stub, with request and response)");
        }
        String own = node.path("name").asText("");
        return new Stub(
                own.isEmpty() ? name : own + " (" + name + ")",
                stub.number("priority", DEFAULT_PRIORITY, 1, Integer.MAX_VALUE),
                request(stub.inner("request")),
                replies.read(stub.inner("response")));
    }

    private RequestPattern request(StubPlace request) {
        request.only(REQUEST);
        List<TextPattern> url = new ArrayList<>();
        List<TextPattern> path = new ArrayList<>();
        if (request.has("url")) {
            url.add(new TextPattern.EqualTo(request.text("url", ""), false));
        }
        if (request.has("urlPattern")) {
            url.add(regex(request, "urlPattern", true));
        }
        if (request.has("urlPath")) {
            path.add(new TextPattern.EqualTo(request.text("urlPath", ""), false));
        }
        if (request.has("urlPathPattern")) {
            path.add(regex(request, "urlPathPattern", true));
        }
        if (url.size() + path.size() > 1) {
            request.problem("url", "(expected: only one of url, urlPattern, urlPath and urlPathPattern)");
        }
        List<RequestPattern.Named> headers = new ArrayList<>(named(request, "headers"));
        if (request.has("basicAuthCredentials")) {
            headers.add(new RequestPattern.Named("authorization", basic(request.inner("basicAuthCredentials"))));
        }
        List<TextPattern> bodies = new ArrayList<>();
        List<byte[]> binary = new ArrayList<>();
        for (StubPlace each : request.items("bodyPatterns")) {
            if (each.has("binaryEqualTo")) {
                each.only(Set.of("binaryEqualTo"));
                binary.add(each.base64("binaryEqualTo"));
            } else {
                bodies.add(pattern(each));
            }
        }
        return new RequestPattern(
                TextPattern.method(request.text("method", "ANY")),
                List.copyOf(url),
                List.copyOf(path),
                named(request, "queryParameters"),
                List.copyOf(headers),
                named(request, "cookies"),
                List.copyOf(bodies),
                List.copyOf(binary));
    }

    private List<RequestPattern.Named> named(StubPlace request, String key) {
        List<RequestPattern.Named> named = new ArrayList<>();
        StubPlace all = request.inner(key);
        for (Map.Entry<String, JsonNode> each : all.entries()) {
            named.add(new RequestPattern.Named(each.getKey(), pattern(all.inner(each.getKey()))));
        }
        return List.copyOf(named);
    }

    private static TextPattern basic(StubPlace credentials) {
        credentials.only(Set.of("username", "password"));
        String both = credentials.text("username", "") + ":" + credentials.text("password", "");
        String encoded = Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
        return new TextPattern.EqualTo("Basic " + encoded, false);
    }

    /** One operator with its options. */
    private TextPattern pattern(StubPlace place) {
        if (place.has("equalTo")) {
            place.only(Set.of("equalTo", "caseInsensitive"));
            return new TextPattern.EqualTo(place.text("equalTo", ""), place.flag("caseInsensitive"));
        } else if (place.has("contains")) {
            place.only(Set.of("contains"));
            return new TextPattern.Contains(place.text("contains", ""), true);
        } else if (place.has("doesNotContain")) {
            place.only(Set.of("doesNotContain"));
            return new TextPattern.Contains(place.text("doesNotContain", ""), false);
        } else if (place.has("matches")) {
            place.only(Set.of("matches"));
            return regex(place, "matches", true);
        } else if (place.has("doesNotMatch")) {
            place.only(Set.of("doesNotMatch"));
            return regex(place, "doesNotMatch", false);
        } else if (place.has("equalToJson")) {
            return json(place);
        }
        place.only(Set.of("absent"));
        if (!place.flag("absent")) {
            place.problem(
                    "absent",
                    "(expected: one of equalTo, contains, doesNotContain, matches, "
                            + "doesNotMatch, equalToJson, absent: true)");
        }
        return new TextPattern.Absent();
    }

    private static TextPattern json(StubPlace place) {
        place.only(Set.of("equalToJson", "ignoreArrayOrder", "ignoreExtraElements"));
        JsonNode expected = place.document("equalToJson");
        if (expected.toString().contains("${json-unit")) {
            place.problem("equalToJson", "placeholders aren't supported");
        }
        return new TextPattern.Json(
                new JsonPattern(expected, place.flag("ignoreArrayOrder"), place.flag("ignoreExtraElements")));
    }

    private static TextPattern regex(StubPlace place, String key, boolean wanted) {
        try {
            return new TextPattern.Matches(Pattern.compile(place.text(key, ""), Pattern.DOTALL), wanted);
        } catch (PatternSyntaxException wrong) {
            place.problem(
                    key,
                    wrong.getMessage() + " (expected: a regular expression without back references or"
                            + " look-around)");
            return new TextPattern.Absent();
        }
    }
}
