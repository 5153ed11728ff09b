package dev.understudy.standin.value;

import dev.understudy.standin.value.ValueModel.TextModel;
import org.jspecify.annotations.Nullable;

/** Learns what the texts of one place look like. */
final class TextLearner {
    private static final int SAMPLES = 500;

    private final SampleReservoir lengths = new SampleReservoir(SAMPLES);
    private final DistinctValues distinct = new DistinctValues();
    private @Nullable Alphabet alphabet;

    void add(String text) {
        Alphabet own = Alphabet.of(text);
        alphabet = alphabet == null ? own : alphabet.with(own);
        lengths.add(text.length());
        distinct.add(text.hashCode());
    }

    void addAll(TextLearner other) {
        Alphabet theirs = other.alphabet;
        if (theirs != null) {
            alphabet = alphabet == null ? theirs : alphabet.with(theirs);
        }
        lengths.addAll(other.lengths);
        distinct.addAll(other.distinct);
    }

    TextModel model() {
        return new TextModel(alphabet == null ? Alphabet.NAME : alphabet, lengths.quantiles(), distinct.count());
    }
}
