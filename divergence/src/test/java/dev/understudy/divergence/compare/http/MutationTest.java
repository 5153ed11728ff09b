package dev.understudy.divergence.compare.http;

import dev.understudy.divergence.compare.ComparisonRules;
import dev.understudy.divergence.compare.Verdict;
import dev.understudy.divergence.compare.VerdictKind;
import dev.understudy.divergence.content.JsonText;
import dev.understudy.divergence.content.JsonValue;
import dev.understudy.divergence.identity.IdentityMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Changes sample replies in ways that mean something; every change must be reported as a difference. */
class MutationTest {
    private static final String ORDER = """
            {"id":4711,"customer":{"id":"3f2504e0-4f89-41d3-9a0c-0305e82c3301","name":"Ada","vip":true},
             "status":"PAID","total":118.50,"currency":"EUR","createdAt":"2026-03-04T12:00:00.010Z","note":null,
             "items":[{"sku":"A-1","quantity":2,"price":49.25,"tags":["new","blue"]},
                      {"sku":"B-22","quantity":1,"price":20.00,"tags":[]}],
             "version":3,"shipped":false,"epoch":1772625600010,"trace":"a93b0d5e7c1f48229d64b7e8f0a1c2d3"}""";
    private static final String PAGE = """
            [{"id":1,"name":"Mercury","moons":0,"radius":2439.7},{"id":2,"name":"Venus","moons":0,"radius":6051.8},
             {"id":3,"name":"Earth","moons":1,"radius":6371.0},{"id":4,"name":"Mars","moons":2,"radius":3389.5}]""";
    private static final List<String> LINES =
            List.of("sku,quantity,price", "A-1,2,49.25", "B-22,1,20.00", "", "sum,,118.50");

    private int count;

    @Test
    void everyJsonMutation_isDifferent() {
        for (String sample : List.of(ORDER, PAGE)) {
            JsonValue original = parse(sample);
            for (int seed = 0; seed < 1500; seed++) {
                Random random = new Random(seed);
                JsonValue mutated = mutate(original, random, random.nextInt(nodes(original)));
                if (!mutated.equals(original)) {
                    expectDifferent(
                            "seed " + seed,
                            Replies.ok("application/json", sample),
                            Replies.ok("application/json", write(mutated)));
                }
            }
        }
        assertThat(count).isGreaterThan(2000);
    }

    @Test
    void everyTextMutation_isDifferent() {
        String sample = String.join("\n", LINES);
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            List<String> lines = new ArrayList<>(LINES);
            int at = random.nextInt(lines.size());
            switch (random.nextInt(4)) {
                case 0 -> lines.remove(at);
                case 1 -> lines.add(at, "C-3,1," + random.nextInt(100));
                case 2 -> Collections.swap(lines, at, (at + 1) % lines.size());
                default -> lines.set(at, lines.get(at) + random.nextInt(10));
            }
            expectDifferent(
                    "seed " + seed, Replies.ok("text/csv", sample), Replies.ok("text/csv", String.join("\n", lines)));
        }
    }

    @Test
    void everyByteFlip_inAnyKindOfBody_isDifferent() {
        for (String type : List.of("image/png", "application/json", "text/plain", "application/octet-stream")) {
            for (int seed = 0; seed < 200; seed++) {
                Random random = new Random(seed);
                byte[] body = new byte[1 + random.nextInt(200)];
                random.nextBytes(body);
                byte[] flipped = body.clone();
                flipped[random.nextInt(body.length)] ^= (byte) (1 << random.nextInt(8));
                expectDifferent(type + ", seed " + seed, reply(type, body), reply(type, flipped));
            }
        }
    }

    @Test
    void everyHeadMutation_isDifferent() {
        List<String> head = List.of(
                "HTTP/1.1 200 OK",
                "Content-Type: application/json",
                "Cache-Control: no-store",
                "X-Total: 7",
                "Location: /orders/7",
                "Set-Cookie: theme=dark; Path=/",
                "Content-Length: 2",
                "X-Empty:");
        for (int line = 0; line < head.size(); line++) {
            for (int kind = 0; kind < 3; kind++) {
                List<String> mutated = new ArrayList<>(head);
                if (kind == 0 && line > 0) {
                    mutated.remove(line);
                } else if (kind == 1) {
                    mutated.set(line, line == 0 ? "HTTP/1.1 203 OK" : head.get(line) + "x");
                } else {
                    mutated.add("X-More" + line + ": " + kind);
                }
                if (head.get(line).startsWith("Content-Length") && kind < 2) {
                    continue; // would be another message
                }
                expectDifferent(mutated.toString(), wire(head), wire(mutated));
            }
        }
    }

    private static String wire(List<String> head) {
        return String.join("\r\n", head) + "\r\n\r\n{}";
    }

    private void expectDifferent(String what, String production, String debug) {
        expectDifferent(what, production.getBytes(StandardCharsets.UTF_8), debug.getBytes(StandardCharsets.UTF_8));
    }

    private void expectDifferent(String what, byte[] production, byte[] debug) {
        count++;
        HttpComparison comparison = new HttpComparison(ComparisonRules.defaults(), new IdentityMap(100));
        Verdict verdict = comparison.compare(
                Replies.reply(production, Replies.NOON, 1 << 20), Replies.reply(debug, Replies.LATER, 1 << 20));
        assertThat(verdict.kind())
                .as(() -> what + ": " + verdict + "\n" + new String(debug, StandardCharsets.UTF_8))
                .isEqualTo(VerdictKind.DIFFERENT);
    }

    private static byte[] reply(String type, byte[] body) {
        byte[] head = ("HTTP/1.1 200 OK\r\nContent-Type: " + type + "\r\nContent-Length: " + body.length + "\r\n\r\n")
                .getBytes(StandardCharsets.US_ASCII);
        byte[] wire = java.util.Arrays.copyOf(head, head.length + body.length);
        System.arraycopy(body, 0, wire, head.length, body.length);
        return wire;
    }

    private static JsonValue parse(String text) {
        JsonValue value = JsonText.parse(text.getBytes(StandardCharsets.UTF_8));
        if (value == null) {
            throw new IllegalStateException("sample isn't JSON");
        }
        return value;
    }

    private static int nodes(JsonValue value) {
        if (value instanceof JsonValue.Obj object) {
            return 1
                    + object.members().values().stream()
                            .mapToInt(MutationTest::nodes)
                            .sum();
        }
        if (value instanceof JsonValue.Arr array) {
            return 1 + array.items().stream().mapToInt(MutationTest::nodes).sum();
        }
        return 1;
    }

    /** The value with its node of that number (in document order) changed. */
    private static JsonValue mutate(JsonValue value, Random random, int node) {
        if (node == 0) {
            return changed(value, random);
        }
        int left = node - 1;
        if (value instanceof JsonValue.Obj object) {
            Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
            for (Map.Entry<String, JsonValue> member : members.entrySet()) {
                int size = nodes(member.getValue());
                if (left >= 0 && left < size) {
                    member.setValue(mutate(member.getValue(), random, left));
                }
                left -= size;
            }
            return new JsonValue.Obj(members);
        }
        List<JsonValue> items = new ArrayList<>(((JsonValue.Arr) value).items());
        for (int i = 0; i < items.size(); i++) {
            int size = nodes(items.get(i));
            if (left >= 0 && left < size) {
                items.set(i, mutate(items.get(i), random, left));
            }
            left -= size;
        }
        return new JsonValue.Arr(items);
    }

    private static JsonValue changed(JsonValue value, Random random) {
        if (random.nextInt(4) == 0) {
            List<JsonValue> others = List.of(
                    new JsonValue.Nil(),
                    new JsonValue.Bool(true),
                    new JsonValue.Str(""),
                    new JsonValue.Num("0"),
                    new JsonValue.Arr(List.of()),
                    new JsonValue.Obj(Map.of()));
            return others.get(random.nextInt(others.size()));
        }
        if (value instanceof JsonValue.Obj object) {
            Map<String, JsonValue> members = new LinkedHashMap<>(object.members());
            String name =
                    members.isEmpty() ? "none" : List.copyOf(members.keySet()).get(random.nextInt(members.size()));
            JsonValue member = members.remove(name);
            if (random.nextBoolean()) {
                members.put(name + "x", member == null ? new JsonValue.Nil() : member);
            }
            return new JsonValue.Obj(members);
        }
        if (value instanceof JsonValue.Arr array) {
            List<JsonValue> items = new ArrayList<>(array.items());
            int kind = random.nextInt(3);
            if (items.size() < 2 || kind == 0) {
                items.add(random.nextInt(items.size() + 1), new JsonValue.Num("7"));
            } else if (kind == 1) {
                items.remove(random.nextInt(items.size()));
            } else {
                Collections.swap(items, 0, 1 + random.nextInt(items.size() - 1));
            }
            return new JsonValue.Arr(items);
        }
        if (value instanceof JsonValue.Num number) {
            String text = number.text();
            return new JsonValue.Num(random.nextBoolean() ? "-" + text : text.contains(".") ? text + "1" : text + ".0");
        }
        if (value instanceof JsonValue.Str string) {
            String text = string.text();
            int at = random.nextInt(text.length() + 1);
            char inserted = (char) ('a' + random.nextInt(6));
            boolean replace = at < text.length() && random.nextBoolean();
            return new JsonValue.Str(text.substring(0, at) + inserted + text.substring(replace ? at + 1 : at));
        }
        return value instanceof JsonValue.Bool bool ? new JsonValue.Bool(!bool.value()) : new JsonValue.Bool(false);
    }

    private static String write(JsonValue value) {
        if (value instanceof JsonValue.Obj object) {
            List<String> members = new ArrayList<>();
            object.members().forEach((name, member) -> members.add("\"" + name + "\":" + write(member)));
            return "{" + String.join(",", members) + "}";
        }
        if (value instanceof JsonValue.Arr array) {
            return "["
                    + String.join(
                            ",", array.items().stream().map(MutationTest::write).toList()) + "]";
        }
        if (value instanceof JsonValue.Str string) {
            return "\"" + string.text() + "\"";
        }
        if (value instanceof JsonValue.Num number) {
            return number.text();
        }
        return value instanceof JsonValue.Bool bool ? Boolean.toString(bool.value()) : "null";
    }
}
