package dev.understudy.aggregator.http.stub;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.understudy.relay.json.ForeignJson;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A document that a value has to mean the same as. Numbers are equal by value, however they are written.
 *
 * @param anyOrder whether arrays may have their elements in another order; each then takes the first one left that is
 *     equal
 * @param extras whether objects may have more fields than expected
 */
record JsonPattern(JsonNode expected, boolean anyOrder, boolean extras) {
    /** Comparisons of two values in one match; arrays in any order could take the square of their length. */
    private static final int MOST = 100_000;

    private static final ObjectMapper JSON = ForeignJson.mapper(ForeignJson.MANY_TOKENS);

    boolean fits(String value) {
        try {
            JsonNode actual = JSON.readTree(value);
            return actual != null && new Comparing().same(expected, actual);
        } catch (JsonProcessingException none) {
            return false;
        }
    }

    private final class Comparing {
        private int compared;

        boolean same(JsonNode wanted, JsonNode given) {
            if (++compared > MOST) {
                return false;
            }
            if (wanted.isObject() && given.isObject()) {
                return fields(wanted, given);
            }
            if (wanted.isArray() && given.isArray()) {
                return wanted.size() == given.size() && (anyOrder ? mixed(wanted, given) : ordered(wanted, given));
            }
            if (wanted.isNumber() && given.isNumber()) {
                boolean whole = wanted.isIntegralNumber() && given.isIntegralNumber();
                return whole
                        ? wanted.bigIntegerValue().equals(given.bigIntegerValue())
                        : wanted.doubleValue() == given.doubleValue();
            }
            return wanted.equals(given);
        }

        private boolean fields(JsonNode wanted, JsonNode given) {
            if (!extras && wanted.size() != given.size()) {
                return false;
            }
            for (Map.Entry<String, JsonNode> field : wanted.properties()) {
                JsonNode twin = given.get(field.getKey());
                if (twin == null || !same(field.getValue(), twin)) {
                    return false;
                }
            }
            return true;
        }

        private boolean ordered(JsonNode wanted, JsonNode given) {
            for (int i = 0; i < wanted.size(); i++) {
                if (!same(wanted.get(i), given.get(i))) {
                    return false;
                }
            }
            return true;
        }

        private boolean mixed(JsonNode wanted, JsonNode given) {
            List<JsonNode> left = new ArrayList<>();
            given.forEach(left::add);
            for (JsonNode each : wanted) {
                if (!take(each, left)) {
                    return false;
                }
            }
            return true;
        }

        private boolean take(JsonNode wanted, List<JsonNode> left) {
            for (Iterator<JsonNode> candidates = left.iterator(); candidates.hasNext(); ) {
                if (same(wanted, candidates.next())) {
                    candidates.remove();
                    return true;
                }
            }
            return false;
        }
    }
}
