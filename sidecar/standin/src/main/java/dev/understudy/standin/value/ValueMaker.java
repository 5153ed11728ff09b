package dev.understudy.standin.value;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.understudy.standin.value.ValueModel.ArrayModel;
import dev.understudy.standin.value.ValueModel.BooleanModel;
import dev.understudy.standin.value.ValueModel.Choice;
import dev.understudy.standin.value.ValueModel.ChoiceModel;
import dev.understudy.standin.value.ValueModel.MapModel;
import dev.understudy.standin.value.ValueModel.Member;
import dev.understudy.standin.value.ValueModel.NumberModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import dev.understudy.standin.value.ValueModel.TextModel;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

/** Makes values that look like a model's. The same random numbers make the same value. */
public final class ValueMaker {
    /** What one document may have, so that a model with large arrays of arrays ends. */
    static final int MOST_VALUES = 100_000;

    private static final String NAME = "abcdefghijklmnopqrstuvwxyz0123456789";
    private static final String HEX = "0123456789abcdef";
    private static final List<String> WORDS = List.of(
            "alpha", "bravo", "delta", "echo", "golf", "hotel", "india", "lima", "mike", "oscar", "papa", "romeo");

    private final SplittableRandom random;
    private int made;

    /**
     * A maker of one document.
     *
     * @param random decides everything
     */
    public ValueMaker(SplittableRandom random) {
        this.random = random;
    }

    /** One value. */
    public JsonNode make(ValueModel model) {
        JsonNodeFactory json = JsonNodeFactory.instance;
        made++;
        if (model instanceof ObjectModel object) {
            return object(object);
        } else if (model instanceof MapModel map) {
            ObjectNode node = json.objectNode();
            for (int i = size(map.size()); i > 0 && made < MOST_VALUES; i--) {
                node.set(text(map.name()), make(map.value()));
            }
            return node;
        } else if (model instanceof ArrayModel array) {
            ArrayNode node = json.arrayNode();
            for (int i = size(array.size()); i > 0 && made < MOST_VALUES; i--) {
                node.add(make(array.item()));
            }
            return node;
        } else if (model instanceof TextModel text) {
            return json.textNode(text(text));
        } else if (model instanceof NumberModel number) {
            BigDecimal made = number(number);
            return number.decimals() == 0 ? json.numberNode(made.toBigInteger()) : json.numberNode(made);
        } else if (model instanceof BooleanModel flag) {
            return json.booleanNode(random.nextDouble() < flag.share());
        } else if (model instanceof ChoiceModel choice) {
            return make(chosen(choice));
        }
        return json.nullNode();
    }

    /** One value as plain text, such as a part of a path. */
    public String text(ValueModel model) {
        return make(model).asText();
    }

    private ObjectNode object(ObjectModel object) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        for (Member member : object.members()) {
            if (random.nextDouble() < member.share()) {
                node.set(member.name(), make(member.value()));
            }
        }
        return node;
    }

    private ValueModel chosen(ChoiceModel choice) {
        double left = random.nextDouble();
        for (Choice each : choice.choices()) {
            left -= each.share();
            if (left < 0) {
                return each.value();
            }
        }
        return choice.choices().get(choice.choices().size() - 1).value();
    }

    private int size(Quantiles size) {
        return (int) Math.min(Math.round(size.at(random.nextDouble())), MOST_VALUES);
    }

    private BigDecimal number(NumberModel number) {
        double step = Math.pow(10, -number.decimals());
        double width = number.to() - number.from();
        double possible = Math.min(number.distinct(), Math.floor(width / step) + 1);
        double value = number.from();
        if (possible > 1) {
            value += Math.floor(random.nextDouble() * possible) * width / (possible - 1);
        }
        return BigDecimal.valueOf(value).setScale(number.decimals(), RoundingMode.HALF_EVEN);
    }

    /** One of as many texts as the model has: each is made by random numbers of its own. */
    private String text(TextModel text) {
        SplittableRandom own = new SplittableRandom(random.nextInt(text.distinct()) * 0x9E3779B97F4A7C15L);
        int length = (int) Math.min(Math.round(text.length().at(own.nextDouble())), MOST_VALUES);
        return switch (text.alphabet()) {
            case DIGITS -> letters("0123456789", length, own);
            case HEX -> letters(HEX, length, own);
            case UUID -> new UUID(own.nextLong(), own.nextLong()).toString();
            case TIME ->
                Instant.ofEpochSecond(1_700_000_000L + own.nextInt(30_000_000))
                        .toString()
                        .substring(0, length < 20 ? 10 : 20);
            case NAME -> letters(NAME, length, own);
            case WORDS -> words(length, own);
        };
    }

    private static String letters(String from, int length, SplittableRandom random) {
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append(from.charAt(random.nextInt(from.length())));
        }
        return text.toString();
    }

    private static String words(int length, SplittableRandom random) {
        StringBuilder text = new StringBuilder(length + 8);
        while (text.length() < length) {
            text.append(WORDS.get(random.nextInt(WORDS.size()))).append(' ');
        }
        text.setLength(length);
        return text.toString();
    }
}
