package dev.understudy.standin.value;

import com.fasterxml.jackson.databind.JsonNode;
import dev.understudy.standin.value.ValueModel.ArrayModel;
import dev.understudy.standin.value.ValueModel.BooleanModel;
import dev.understudy.standin.value.ValueModel.Choice;
import dev.understudy.standin.value.ValueModel.ChoiceModel;
import dev.understudy.standin.value.ValueModel.NullModel;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Learns what one place of JSON documents holds, value by value. Memory is bounded by the number of places, not of
 * documents. Confined to one thread.
 */
public final class ValueLearner {
    /** What lies deeper is taken as nothing. */
    static final int MOST_DEPTH = 16;

    private static final int SAMPLES = 500;

    private long nulls;
    private long flags;
    private long trues;
    private long numberCount;
    private long textCount;
    private long objectCount;
    private long arrayCount;
    private final NumberLearner numbers = new NumberLearner();
    private @Nullable TextLearner texts;
    private @Nullable ObjectLearner objects;
    private @Nullable SampleReservoir arraySizes;
    private @Nullable ValueLearner items;

    /** Adds a whole document. */
    public void add(JsonNode document) {
        add(document, 0);
    }

    void add(JsonNode value, int depth) {
        switch (value.getNodeType()) {
            case BOOLEAN -> {
                flags++;
                trues += value.booleanValue() ? 1 : 0;
            }
            case NUMBER -> {
                numberCount++;
                numbers.add(value.decimalValue());
            }
            case STRING -> {
                textCount++;
                texts().add(value.textValue());
            }
            case OBJECT -> addObject(value, depth);
            case ARRAY -> addArray(value, depth);
            case NULL, MISSING, BINARY, POJO -> nulls++;
        }
    }

    private void addObject(JsonNode value, int depth) {
        if (depth >= MOST_DEPTH) {
            nulls++;
            return;
        }
        objectCount++;
        objects().add(value, depth);
    }

    private void addArray(JsonNode value, int depth) {
        if (depth >= MOST_DEPTH) {
            nulls++;
            return;
        }
        arrayCount++;
        sizes().add(value.size());
        value.forEach(item -> items().add(item, depth + 1));
    }

    void addAll(ValueLearner other) {
        nulls += other.nulls;
        flags += other.flags;
        trues += other.trues;
        numberCount += other.numberCount;
        textCount += other.textCount;
        objectCount += other.objectCount;
        arrayCount += other.arrayCount;
        numbers.addAll(other.numbers);
        if (other.texts != null) {
            texts().addAll(other.texts);
        }
        if (other.objects != null) {
            objects().addAll(other.objects);
        }
        if (other.arraySizes != null) {
            sizes().addAll(other.arraySizes);
        }
        if (other.items != null) {
            items().addAll(other.items);
        }
    }

    /** How many values were added. */
    public long count() {
        return nulls + flags + numberCount + textCount + objectCount + arrayCount;
    }

    /** What they look like. */
    public ValueModel model() {
        List<Choice> choices = new ArrayList<>();
        if (objects != null) {
            choose(choices, objectCount, objects.model());
        }
        if (arraySizes != null) {
            ValueModel item = items == null ? new NullModel() : items.model();
            choose(choices, arrayCount, new ArrayModel(arraySizes.quantiles(), item));
        }
        if (texts != null) {
            choose(choices, textCount, texts.model());
        }
        if (numberCount > 0) {
            choose(choices, numberCount, numbers.model());
        }
        if (flags > 0) {
            choose(choices, flags, new BooleanModel(Math.round(trues * 1e4 / flags) / 1e4));
        }
        if (nulls > 0) {
            choose(choices, nulls, new NullModel());
        }
        return switch (choices.size()) {
            case 0 -> new NullModel();
            case 1 -> choices.get(0).value();
            default -> new ChoiceModel(choices);
        };
    }

    private void choose(List<Choice> choices, long part, ValueModel model) {
        choices.add(new Choice(Shares.of(Math.max(1, part), count()), model));
    }

    private TextLearner texts() {
        TextLearner known = texts == null ? new TextLearner() : texts;
        texts = known;
        return known;
    }

    private ObjectLearner objects() {
        ObjectLearner known = objects == null ? new ObjectLearner() : objects;
        objects = known;
        return known;
    }

    private SampleReservoir sizes() {
        SampleReservoir known = arraySizes == null ? new SampleReservoir(SAMPLES) : arraySizes;
        arraySizes = known;
        return known;
    }

    private ValueLearner items() {
        ValueLearner known = items == null ? new ValueLearner() : items;
        items = known;
        return known;
    }
}
