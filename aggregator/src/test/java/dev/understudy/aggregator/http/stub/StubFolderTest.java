package dev.understudy.aggregator.http.stub;

import dev.understudy.divergence.wire.http.Header;
import dev.understudy.divergence.wire.http.RequestHead;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

class StubFolderTest {
    @TempDir
    private Path folder;

    @Test
    void everyPartOfARequest_counts() throws IOException {
        write("mappings/order.json", """
                {"name": "order", "request": {
                  "method": "POST", "urlPathPattern": "/orders/[0-9]+",
                  "queryParameters": {"q": {"equalTo": "a b"}, "debug": {"absent": true}},
                  "headers": {"Accept": {"contains": "json"}, "X-Tenant": {"equalTo": "SHOP", "caseInsensitive": true}},
                  "cookies": {"session": {"matches": "[a-f]{4}"}, "theme": {"doesNotMatch": "dark.*"}},
                  "basicAuthCredentials": {"username": "u", "password": "p"},
                  "bodyPatterns": [
                    {"equalToJson": {"sku": "A", "amounts": [1, 2]}, "ignoreExtraElements": true, \
                "ignoreArrayOrder": true},
                    {"doesNotContain": "secret"}]},
                 "response": {"status": 201, "jsonBody": {"ok": true}}}
                """);
        Stubs stubs = right();
        String body = "{\"more\":0, \"amounts\":[2.0,1], \"sku\":\"A\"}";
        List<String> headers = List.of(
                "accept: text/json",
                "x-tenant: shop",
                "cookie: theme=light; session=abcd",
                "authorization: Basic dTpw");

        assertThat(find(stubs, "POST", "/orders/1?q=a%20b", headers, body)).isEqualTo("order (order.json)");
        assertThat(find(stubs, "PUT", "/orders/1?q=a%20b", headers, body)).isNull();
        assertThat(find(stubs, "POST", "/orders/x?q=a%20b", headers, body)).isNull();
        assertThat(find(stubs, "POST", "/orders/1?q=b", headers, body)).isNull();
        assertThat(find(stubs, "POST", "/orders/1?q=a+b&debug", headers, body)).isNull();
        assertThat(find(stubs, "POST", "/orders/1?q=a+b", headers, body.replace("2.0", "3")))
                .isNull();
        assertThat(find(stubs, "POST", "/orders/1?q=a+b", headers, body.replace("more", "secret")))
                .isNull();
        for (int i = 0; i < headers.size(); i++) {
            List<String> fewer = new ArrayList<>(headers);
            fewer.remove(i);
            assertThat(find(stubs, "POST", "/orders/1?q=a+b", fewer, body))
                    .as("without " + headers.get(i))
                    .isNull();
        }
    }

    @Test
    void ofSeveral_theFirstPriorityAndThenTheLastIsTaken() throws IOException {
        write("all.json", """
                {"mappings": [
                  {"name": "old", "request": {"urlPath": "/a"}, "response": {}},
                  {"name": "new", "request": {"urlPath": "/a"}, "response": {}},
                  {"name": "first", "priority": 1, "request": {"url": "/a?x=1"}, "response": {}},
                  {"name": "rest", "priority": 9, "request": {"urlPattern": "/.*"}, "response": {}}]}
                """);
        Stubs stubs = right();

        assertThat(find(stubs, "GET", "/a", List.of(), "")).startsWith("new");
        assertThat(find(stubs, "GET", "/a?x=1", List.of(), "")).startsWith("first");
        assertThat(find(stubs, "GET", "http://host:80/a?x=1", List.of(), "")).startsWith("first");
        assertThat(find(stubs, "GET", "/b?x=1", List.of(), "")).startsWith("rest");
    }

    @Test
    void bodies_areReadFromTheirFolderAndNowhereElse() throws IOException {
        write("__files/below/a.txt", "from a file");
        write("secret.txt", "secret");
        write("mappings/a.json", stub("\"bodyFileName\": \"below/a.txt\""));
        StubReply reply = reply(right());
        assertThat(new String(reply.body(), StandardCharsets.UTF_8)).isEqualTo("from a file");

        Files.createSymbolicLink(folder.resolve("__files/link"), folder.resolve("secret.txt"));
        for (String outside : new String[] {"../secret.txt", "below/../../secret.txt", "link", "none", "below", ""}) {
            write("mappings/a.json", stub("\"bodyFileName\": \"" + outside + "\""));
            assertThat(StubFolder.load(folder).problems())
                    .as(outside)
                    .singleElement()
                    .asString()
                    .startsWith("a.json: response.bodyFileName: " + outside);
        }
    }

    @Test
    void replies_haveBodiesOfEveryKind() throws IOException {
        assertThat(body("\"body\": \"täxt\"")).isEqualTo("täxt");
        assertThat(body("\"jsonBody\": {\"a\": [1, null]}")).isEqualTo("{\"a\":[1,null]}");
        assertThat(body("\"base64Body\": \"aGk=\"")).isEqualTo("hi");
        write("a.json", stub("""
                "status": 404, "statusMessage": "Gone", "fixedDelayMilliseconds": 20,
                "headers": {"Set-Cookie": ["a=1", "b=2"], "Transfer-Encoding": "chunked"}"""));
        StubFolder.Loaded loaded = StubFolder.load(folder);
        StubReply reply = reply(loaded.stubs());
        assertThat(reply.headers()).containsExactly(new Header("Set-Cookie", "a=1"), new Header("Set-Cookie", "b=2"));
        assertThat(reply.delayMillis()).isEqualTo(20);
        assertThat(loaded.notes())
                .singleElement()
                .asString()
                .startsWith("a.json: response.headers.Transfer-Encoding: left");
    }

    @Test
    void whatIsntSupported_isRefusedAtItsPlace() throws IOException {
        write("a.json", """
                {"mappings": [{
                  "scenarioName": "s", "request": {"url": "/a", "urlPath": "/a", "urlPathTemplate": "/{x}", "method": 3,
                    "bodyPatterns": [{"matchesJsonPath": "$.a"}, {"matches": "(a"}, {"matches": "(?=x)"},
                      {"equalToJson": "{"}, {"equalToJson": {"a": "${json-unit.any-string}"}}, {"equalTo": "x", \
                "not": 1}],
                    "headers": {"A": {"absent": false}, "B": 1}},
                  "response": {"status": 99, "proxyBaseUrl": "http://x", "transformers": ["response-template"], \
                "body": "a",
                    "jsonBody": 1, "headers": {"A b": "c", "D": "e\\r\\nf"}, "fault": "EMPTY_RESPONSE"}},
                  3]}
                """);
        assertThat(String.join("\n", StubFolder.load(folder).problems()))
                .contains(
                        "a.json: mappings[0].scenarioName: isn't supported",
                        "a.json: mappings[0].request.urlPathTemplate: isn't supported",
                        "a.json: mappings[0].request.url: (expected: only one of",
                        "a.json: mappings[0].request.method: (expected: a text)",
                        "a.json: mappings[0].request.bodyPatterns[0].matchesJsonPath: isn't supported",
                        "a.json: mappings[0].request.bodyPatterns[1].matches: ",
                        "a.json: mappings[0].request.bodyPatterns[2].matches: ",
                        "a.json: mappings[0].request.bodyPatterns[3].equalToJson: (expected: a JSON document)",
                        "a.json: mappings[0].request.bodyPatterns[4].equalToJson: placeholders",
                        "a.json: mappings[0].request.bodyPatterns[5].not: isn't supported",
                        "a.json: mappings[0].request.headers.A.absent: (expected: one of",
                        "a.json: mappings[0].request.headers.B: (expected: an object)",
                        "a.json: mappings[0].response.status: 99 (expected: 200 to 599)",
                        "a.json: mappings[0].response.proxyBaseUrl: isn't supported",
                        "a.json: mappings[0].response.fault: isn't supported",
                        "a.json: mappings[0].response.transformers: aren't supported",
                        "a.json: mappings[0].response.body: (expected: only one of",
                        "a.json: mappings[0].response.headers.A b: (expected",
                        "a.json: mappings[0].response.headers.D: (expected",
                        "a.json: mappings[1]: (expected: an object)");

        write("a.json", "{\n  \"request\": {,}\n}");
        assertThat(StubFolder.load(folder).problems())
                .singleElement()
                .asString()
                .startsWith("a.json:2:");
        write("a.json", "{\"request\": {}, \"request\": {}}");
        assertThat(StubFolder.load(folder).problems())
                .singleElement()
                .asString()
                .contains("Duplicate");
        assertThat(StubFolder.load(folder.resolve("none")).problems()).hasSize(1);
    }

    @Test
    void brokenFiles_areProblemsAndNothingElse() throws IOException {
        String right = stub("\"jsonBody\": {\"a\": [1, 2, {\"b\": \"c\"}]}, \"headers\": {\"A\": [\"b\"]}");
        Random random = new Random(11);
        for (int round = 0; round < 500; round++) {
            byte[] broken = right.getBytes(StandardCharsets.UTF_8);
            for (int i = random.nextInt(4); i >= 0; i--) {
                broken[random.nextInt(broken.length)] = (byte) random.nextInt(256);
            }
            Files.write(folder.resolve("a.json"), broken);
            StubFolder.Loaded loaded = StubFolder.load(folder.resolve("a.json"));
            assertThat(loaded.problems().isEmpty() && loaded.stubs().isEmpty())
                    .as("round " + round + " of seed 11")
                    .isFalse();
        }
        write("a.json", "[".repeat(100_000));
        assertThat(StubFolder.load(folder).problems()).hasSize(1);
    }

    @Test
    void patternsThatBacktrack_takeNoLongerThanOthers() throws IOException {
        write("a.json", """
                {"request": {"bodyPatterns": [{"matches": "(a*)*b"}]}, "response": {}}""");
        assertThat(find(right(), "POST", "/", List.of(), "a".repeat(5_000))).isNull();
        write("a.json", """
                {"request": {"bodyPatterns": [{"equalToJson": "[%s2]", "ignoreArrayOrder": true}]}, "response": {}}""".formatted("1,".repeat(20_000)));
        assertThat(find(right(), "POST", "/", List.of(), "[" + "3,".repeat(20_000) + "2]"))
                .isNull();
    }

    private String body(String response) throws IOException {
        write("a.json", stub(response));
        StubReply reply = reply(right());
        return new String(reply.body(), StandardCharsets.UTF_8);
    }

    private static StubReply reply(Stubs stubs) {
        return Objects.requireNonNull(stubs.find(request("GET", "/", List.of(), "")))
                .reply();
    }

    private Stubs right() {
        StubFolder.Loaded loaded = StubFolder.load(folder);
        assertThat(loaded.problems()).isEmpty();
        return loaded.stubs();
    }

    private static String stub(String response) {
        return "{\"request\": {\"urlPattern\": \".*\"}, \"response\": {" + response + "}}";
    }

    private static @Nullable String find(Stubs stubs, String method, String target, List<String> headers, String body) {
        Stub stub = stubs.find(request(method, target, headers, body));
        return stub == null ? null : stub.name();
    }

    private static StubRequest request(String method, String target, List<String> headers, String body) {
        List<Header> list = headers.stream()
                .map(line -> new Header(line.substring(0, line.indexOf(':')), line.substring(line.indexOf(':') + 2)))
                .toList();
        return new StubRequest(
                new RequestHead(method, target, "HTTP/1.1", list), body.getBytes(StandardCharsets.UTF_8));
    }

    private void write(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
