package dev.understudy.it.divergence;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.divergence.content.Folding;
import dev.understudy.divergence.wire.http.Header;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/**
 * A measuring stick: the method of asking production twice, as Diffy published it. Per endpoint and field it counts how
 * often primary and candidate differ, and how often primary and secondary do; the field counts as different if these
 * two counts are more than 20 % of their sum apart, and more than 0.03 % of the endpoint's requests.
 */
final class ThreeWay {
    private static final double RELATIVE = 0.20;
    private static final double ABSOLUTE = 0.0003;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Integer> requests = new HashMap<>();
    private final Map<String, int[]> fields = new HashMap<>();

    /** The fields at which the candidate differs from the primary; whether they count is known at the end. */
    Set<String> add(Sample primary, Sample secondary, Sample candidate) {
        String endpoint = Folding.route(primary.request());
        requests.merge(endpoint, 1, Integer::sum);
        Map<String, String> ours = fields(primary);
        Set<String> raw = differing(endpoint, ours, fields(candidate));
        Set<String> noise = differing(endpoint, ours, fields(secondary));
        raw.forEach(field -> count(field)[0]++);
        noise.forEach(field -> count(field)[1]++);
        return raw;
    }

    /** Whether any of them counts. */
    boolean reports(Set<String> differing) {
        return differing.stream().anyMatch(this::isDifferent);
    }

    private boolean isDifferent(String field) {
        int[] count = count(field);
        String endpoint = field.substring(0, field.indexOf('\n'));
        double apart = Math.abs(count[0] - count[1]);
        return apart / (count[0] + count[1]) > RELATIVE && apart / requests.getOrDefault(endpoint, 1) > ABSOLUTE;
    }

    private int[] count(String field) {
        return Objects.requireNonNull(fields.computeIfAbsent(field, none -> new int[2]));
    }

    private static Set<String> differing(String endpoint, Map<String, String> ours, Map<String, String> theirs) {
        Set<String> names = new HashSet<>(ours.keySet());
        names.addAll(theirs.keySet());
        names.removeIf(name -> Objects.equals(ours.get(name), theirs.get(name)));
        Set<String> differing = new HashSet<>();
        names.forEach(name -> differing.add(endpoint + "\n" + name));
        return differing;
    }

    private static Map<String, String> fields(Sample reply) {
        Map<String, String> fields = new TreeMap<>();
        fields.put("status", reply.status());
        for (Header header : reply.headers()) {
            fields.merge("header." + header.name(), header.value(), (a, b) -> a + "," + b);
        }
        fields.put("cut off", "" + reply.cutOff());
        if (reply.isJson()) {
            try {
                flatten("body", JSON.readTree(reply.body()), fields);
                return fields;
            } catch (JsonProcessingException e) {
                // compared as a whole
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
        fields.put("body", reply.text());
        return fields;
    }

    private static void flatten(String path, JsonNode node, Map<String, String> fields) {
        if (node.isObject()) {
            fields.put(path + "{}", "");
            node.properties().forEach(member -> flatten(path + "." + member.getKey(), member.getValue(), fields));
        } else if (node.isArray()) {
            fields.merge(path + "[]", "" + node.size(), (a, b) -> a + "," + b);
            node.forEach(item -> flatten(path + "[*]", item, fields));
        } else {
            fields.merge(path, node.toString(), (a, b) -> a + "," + b);
        }
    }
}
