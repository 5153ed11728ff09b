package dev.understudy.it.localisation;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import java.util.List;

/**
 * One kind of thing that clients ask for.
 *
 * @param weight how often it is asked for, beside the others
 * @param trigger whether it may set the bug off
 * @param lines a method and a target, or commands of one connection, SQL statements, say; {@code {1..9}} stands for a
 *     number, {@code {text*9}} for a text again and again, and what follows {@code other:} is said on a second
 *     connection
 */
public record Ask(int weight, boolean trigger, List<String> lines, List<String> headers, String body) {
    private static final int MOST = 1_000_000;

    /** Reads one. */
    static Ask read(Section section) {
        return new Ask(
                section.optional("weight", Value.integer(1, MOST), 1),
                section.optional("trigger", Value.flag(), false),
                section.has("commands")
                        ? section.list("commands", Value.text())
                        : List.of(section.required("request", Value.text())),
                section.listed("headers", Value.text()),
                section.optional("body", Value.anyText(), ""));
    }
}
