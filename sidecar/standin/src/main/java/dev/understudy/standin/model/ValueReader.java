package dev.understudy.standin.model;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.standin.value.Alphabet;
import dev.understudy.standin.value.Quantiles;
import dev.understudy.standin.value.ValueModel;
import dev.understudy.standin.value.ValueModel.ArrayModel;
import dev.understudy.standin.value.ValueModel.BooleanModel;
import dev.understudy.standin.value.ValueModel.Choice;
import dev.understudy.standin.value.ValueModel.ChoiceModel;
import dev.understudy.standin.value.ValueModel.MapModel;
import dev.understudy.standin.value.ValueModel.Member;
import dev.understudy.standin.value.ValueModel.NullModel;
import dev.understudy.standin.value.ValueModel.NumberModel;
import dev.understudy.standin.value.ValueModel.ObjectModel;
import dev.understudy.standin.value.ValueModel.TextModel;

/** Reads what a place of a JSON document holds. */
final class ValueReader {
    private static final NullModel NOTHING = new NullModel();
    private static final TextModel NO_TEXT = new TextModel(Alphabet.NAME, Quantiles.always(0), 1);

    private enum Type {
        OBJECT,
        MAP,
        ARRAY,
        TEXT,
        NUMBER,
        BOOLEAN,
        CHOICE,
        NULL
    }

    private ValueReader() {}

    static ValueModel read(Section section) {
        return section.build(ValueReader::value, NOTHING);
    }

    private static ValueModel value(Section section) {
        return switch (section.required("type", Value.choice(Type.class))) {
            case OBJECT ->
                new ObjectModel(section.sections("members").stream()
                        .map(each -> each.build(ValueReader::member, new Member("placeholder", 1, NOTHING)))
                        .toList());
            case MAP ->
                new MapModel(
                        ModelReader.quantiles(section, "size"),
                        section.section("name").build(ValueReader::name, NO_TEXT),
                        read(section.section("value")));
            case ARRAY -> new ArrayModel(ModelReader.quantiles(section, "size"), read(section.section("item")));
            case TEXT -> text(section);
            case NUMBER ->
                new NumberModel(
                        section.required("from", ModelReader.number()),
                        section.required("to", ModelReader.number()),
                        section.optional("decimals", Value.integer(0, 9), 0),
                        distinct(section));
            case BOOLEAN -> new BooleanModel(section.required("share", ModelReader.number()));
            case CHOICE ->
                new ChoiceModel(section.sections("choices").stream()
                        .map(each -> each.build(ValueReader::choice, new Choice(1, NOTHING)))
                        .toList());
            case NULL -> NOTHING;
        };
    }

    private static Member member(Section section) {
        return new Member(
                section.required("name", Value.anyText()),
                section.optional("share", ModelReader.share(), 1.0),
                read(section.section("value")));
    }

    private static Choice choice(Section section) {
        return new Choice(section.required("share", ModelReader.share()), read(section.section("value")));
    }

    private static TextModel name(Section section) {
        if (section.required("type", Value.choice(Type.class)) != Type.TEXT) {
            throw new IllegalArgumentException("its names are texts (expected: type: text)");
        }
        return text(section);
    }

    private static TextModel text(Section section) {
        return new TextModel(
                section.required("of", Value.choice(Alphabet.class)),
                ModelReader.quantiles(section, "length"),
                distinct(section));
    }

    private static int distinct(Section section) {
        return section.optional("distinct", Value.integer(1, Integer.MAX_VALUE), 1);
    }
}
