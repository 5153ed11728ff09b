package dev.understudy.standin.value;

import java.util.List;

/** What one place of a JSON document holds. Immutable. No text of a document is in it but names of members. */
public sealed interface ValueModel {
    /**
     * An object with known members.
     *
     * @param members by name, in the order in which they were first seen
     */
    record ObjectModel(List<Member> members) implements ValueModel {
        public ObjectModel {
            members = List.copyOf(members);
        }
    }

    /**
     * A member of an object.
     *
     * @param share of the objects that have it, above 0 and up to 1
     */
    record Member(String name, double share, ValueModel value) {
        public Member {
            check("share", share);
        }
    }

    /**
     * An object whose names are data, such as ids.
     *
     * @param size how many members it has
     * @param name what their names look like
     * @param value what all of them hold
     */
    record MapModel(Quantiles size, TextModel name, ValueModel value) implements ValueModel {}

    /**
     * An array.
     *
     * @param size how many items it has
     * @param item what each of them is
     */
    record ArrayModel(Quantiles size, ValueModel item) implements ValueModel {}

    /**
     * A text.
     *
     * @param alphabet which characters
     * @param length in characters
     * @param distinct how many different ones were seen, at least 1
     */
    record TextModel(Alphabet alphabet, Quantiles length, int distinct) implements ValueModel {
        public TextModel {
            least("distinct", distinct);
        }
    }

    /**
     * A number, equally likely between two.
     *
     * @param from the least one, rounded down to two digits
     * @param to the largest one, rounded up to two digits
     * @param decimals digits behind the point, 0 to 9
     * @param distinct how many different ones were seen, at least 1
     */
    record NumberModel(double from, double to, int decimals, int distinct) implements ValueModel {
        public NumberModel {
            if (!(from <= to) || Double.isInfinite(from) || Double.isInfinite(to)) {
                throw new IllegalArgumentException("from " + from + " to " + to + " (expected: from <= to)");
            }
            if (decimals < 0 || decimals > 9) {
                throw new IllegalArgumentException("decimals: " + decimals + " (expected: 0 to 9)");
            }
            least("distinct", distinct);
        }
    }

    /**
     * True or false.
     *
     * @param share how often it is true, 0 to 1
     */
    record BooleanModel(double share) implements ValueModel {
        public BooleanModel {
            if (!(share >= 0 && share <= 1)) {
                throw new IllegalArgumentException("share: " + share + " (expected: 0 to 1)");
            }
        }
    }

    /** Nothing: JSON's null, or what lies deeper than is looked at. */
    record NullModel() implements ValueModel {}

    /**
     * One of several kinds.
     *
     * @param choices at least one, with how often each is
     */
    record ChoiceModel(List<Choice> choices) implements ValueModel {
        public ChoiceModel {
            if (choices.isEmpty()) {
                throw new IllegalArgumentException("choices: none (expected: at least one)");
            }
            choices = List.copyOf(choices);
        }
    }

    /**
     * One of the kinds.
     *
     * @param share how often it is, above 0 and up to 1
     */
    record Choice(double share, ValueModel value) {
        public Choice {
            check("share", share);
        }
    }

    private static void check(String name, double share) {
        if (!(share > 0 && share <= 1)) {
            throw new IllegalArgumentException(name + ": " + share + " (expected: above 0, at most 1)");
        }
    }

    private static void least(String name, int number) {
        if (number < 1) {
            throw new IllegalArgumentException(name + ": " + number + " (expected: >= 1)");
        }
    }
}
