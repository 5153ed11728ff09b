package dev.understudy.it.divergence;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Changes one place of a JSON text so that it means something else. */
final class JsonMutation {
    private static final ObjectMapper JSON = new ObjectMapper()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(SerializationFeature.ORDER_MAP_ENTRIES_BY_KEYS)
            .configure(JsonGenerator.Feature.WRITE_BIGDECIMAL_AS_PLAIN, true)
            .configure(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES, false);

    private final Random random;
    private final Set<String> noise;

    /**
     * @param noise names of members whose values mean nothing, in which only what makes another kind of value is
     *     changed
     */
    JsonMutation(Random random, Set<String> noise) {
        this.random = random;
        this.noise = noise;
    }

    /** A place: a member of an object, or an item of an array. */
    private record Place(JsonNode parent, @Nullable String name, int index, boolean noisy) {
        JsonNode value() {
            return parent instanceof ObjectNode object ? object.get(name) : parent.get(index);
        }

        void set(JsonNode value) {
            if (parent instanceof ObjectNode object) {
                object.set(name, value);
            } else {
                ((ArrayNode) parent).set(index, value);
            }
        }
    }

    /** The changed text; null if that kind doesn't fit any place. */
    @Nullable
    String apply(Mutation kind, String text) {
        try {
            JsonNode root = JSON.readTree(text);
            String before = JSON.writeValueAsString(root);
            List<Place> places = new ArrayList<>();
            collect(root, false, places);
            places.removeIf(place -> !fits(kind, place));
            if (places.isEmpty()) {
                return null;
            }
            Place place = places.get(random.nextInt(places.size()));
            if (kind == Mutation.SWAPPED_IDS) {
                Place other = places.get(random.nextInt(places.size()));
                JsonNode value = place.value();
                place.set(other.value());
                other.set(value);
            } else {
                change(kind, place);
            }
            String after = JSON.writeValueAsString(root);
            return after.equals(before) ? null : after;
        } catch (JsonProcessingException e) {
            return null;
        }
    }

    private void collect(JsonNode node, boolean noisy, List<Place> places) {
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(name -> {
                boolean within = noisy || noise.contains(name);
                places.add(new Place(object, name, 0, within));
                collect(object.get(name), within, places);
            });
        } else {
            for (int i = 0; i < node.size(); i++) {
                places.add(new Place(node, null, i, noisy));
                collect(node.get(i), noisy, places);
            }
        }
    }

    private static boolean fits(Mutation kind, Place place) {
        JsonNode value = place.value();
        return switch (kind) {
            case NUMBER -> value.isNumber() && !place.noisy();
            case NUMBER_FORM -> value.isIntegralNumber();
            case ROUNDING -> value.isBigDecimal() && !place.noisy();
            case STRING -> value.isTextual() && !place.noisy() && !isTime(value);
            case TIME -> value.isTextual() && !place.noisy() && isTime(value);
            case ID -> value.isTextual() && !place.noisy() && isUuid(value.textValue());
            case ANOTHER_RECORD, SWAPPED_IDS ->
                value.isTextual() && !place.noisy() && another(value.textValue(), 0) != null;
            case BOOLEAN -> value.isBoolean();
            case TYPE, NULL -> !value.isNull();
            case EMPTY ->
                value.size() > 0 || (value.isTextual() && !value.textValue().isEmpty());
            case MISSING_MEMBER, RENAMED_MEMBER -> place.name() != null;
            case EXTRA_MEMBER -> value.isObject();
            case MISSING_ITEM, EXTRA_ITEM -> value.isArray() && value.size() > 0 && !place.noisy();
            case ITEM_ORDER -> value.isArray() && value.size() > 1 && !place.noisy();
            case WRONG_ROW ->
                value.isArray() && value.size() > 1 && value.get(0).isObject() && !place.noisy();
            default -> false;
        };
    }

    private void change(Mutation kind, Place place) {
        JsonNode value = place.value();
        JsonNodeFactory nodes = JSON.getNodeFactory();
        switch (kind) {
            case NUMBER -> {
                BigDecimal step = BigDecimal.ONE.scaleByPowerOfTen(random.nextInt(2) - (value.isBigDecimal() ? 1 : 0));
                BigDecimal other =
                        random.nextInt(4) == 0 && value.decimalValue().signum() != 0
                                ? value.decimalValue().negate()
                                : value.decimalValue().add(step);
                place.set(nodes.numberNode(other));
            }
            case NUMBER_FORM -> place.set(nodes.numberNode(value.decimalValue().setScale(1)));
            case ROUNDING -> {
                BigDecimal cent =
                        BigDecimal.ONE.scaleByPowerOfTen(-value.decimalValue().scale());
                place.set(nodes.numberNode(value.decimalValue().add(cent)));
            }
            case STRING -> place.set(nodes.textNode(otherText(value.textValue())));
            case TIME -> {
                long[] shifts = {-86_400, -3_600, 3_600, 60, 1_800, 86_400 * 365L};
                Instant shifted = Instant.parse(value.textValue()).plusSeconds(shifts[random.nextInt(shifts.length)]);
                place.set(nodes.textNode(shifted.toString()));
            }
            case ID -> place.set(nodes.textNode(new UUID(random.nextLong(), random.nextLong()).toString()));
            case ANOTHER_RECORD -> place.set(nodes.textNode(another(value.textValue(), random.nextInt(40))));
            case BOOLEAN -> place.set(nodes.booleanNode(!value.booleanValue()));
            case NULL -> place.set(nodes.nullNode());
            case TYPE ->
                place.set(value.isTextual() ? nodes.numberNode(random.nextInt(100)) : nodes.textNode(value.asText()));
            case EMPTY ->
                place.set(
                        value.isObject()
                                ? nodes.objectNode()
                                : value.isArray() ? nodes.arrayNode() : nodes.textNode(""));
            case MISSING_MEMBER -> ((ObjectNode) place.parent()).remove(place.name());
            case RENAMED_MEMBER -> {
                ((ObjectNode) place.parent()).remove(place.name());
                ((ObjectNode) place.parent()).set(place.name() + "s", value);
            }
            case EXTRA_MEMBER -> ((ObjectNode) value).put("extra" + random.nextInt(100), random.nextInt(100));
            case MISSING_ITEM -> ((ArrayNode) value).remove(random.nextInt(value.size()));
            case EXTRA_ITEM ->
                ((ArrayNode) value)
                        .insert(
                                random.nextInt(value.size() + 1),
                                value.get(random.nextInt(value.size())).deepCopy());
            case ITEM_ORDER -> swap((ArrayNode) value);
            case WRONG_ROW -> {
                int at = random.nextInt(value.size());
                ((ArrayNode) value).set(at, value.get((at + 1) % value.size()).deepCopy());
            }
            default -> throw new IllegalArgumentException("" + kind);
        }
    }

    private void swap(ArrayNode items) {
        int at = random.nextInt(items.size());
        int other = (at + 1 + random.nextInt(items.size() - 1)) % items.size();
        JsonNode item = items.get(at);
        items.set(at, items.get(other));
        items.set(other, item);
    }

    private String otherText(String text) {
        int at = random.nextInt(text.length() + 1);
        char put = (char) ('a' + random.nextInt(26));
        boolean replace = at < text.length() && random.nextBoolean();
        return text.substring(0, at) + put + text.substring(replace ? at + 1 : at);
    }

    private static boolean isTime(JsonNode value) {
        try {
            Instant.parse(value.textValue());
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    /** The id of the same form that a record of that number has; null if it isn't a record's id. */
    private static @Nullable String another(String id, int number) {
        if (isUuid(id)) {
            return Shop.customer(number);
        }
        if (id.matches("[0-9a-f]{24}")) {
            return Shop.product(number);
        }
        return id.matches("[A-Z]{2}[0-9]{20}") ? Shop.account(number) : null;
    }

    static boolean isUuid(String text) {
        return text.matches("[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    }
}
