package dev.understudy.distribution;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A command's page for {@code man}, as roff with the macros of man(7). */
final class ManualPage {
    private static final int WIDTH = 78;

    private final String name;
    private final CommandSpec spec;
    private final String version;
    private final String day;
    private final StringBuilder page = new StringBuilder();

    /**
     * Prepares a page.
     *
     * @param name its own, such as {@code understudy-probes-arm}
     * @param day as in 2026-11-20
     */
    ManualPage(String name, CommandSpec spec, String version, String day) {
        this.name = name;
        this.spec = spec;
        this.version = version;
        this.day = day;
    }

    String text() {
        page.append(".TH \"%s\" 1 \"%s\" \"Understudy %s\" \"Understudy\"\n"
                .formatted(name.toUpperCase(Locale.ROOT), day, version));
        section("NAME").append(escaped(name)).append(" \\- ");
        page.append(escaped(CommandTree.brief(spec.usageMessage().description())))
                .append('\n');
        section("SYNOPSIS").append(".nf\n");
        line(synopsis());
        page.append(".fi\n");
        section("DESCRIPTION");
        paragraphs(spec.usageMessage().description());
        paragraphs(spec.usageMessage().footer());
        arguments();
        commands();
        exitCodes();
        seeAlso();
        return page.toString();
    }

    private String synopsis() {
        spec.usageMessage().width(WIDTH);
        String qualified = spec.qualifiedName(" ");
        return new Help(spec, Help.defaultColorScheme(Help.Ansi.OFF))
                .synopsis(0)
                .lines()
                .map(String::stripTrailing)
                .map(line ->
                        line.startsWith(qualified) ? name.replace('-', ' ') + line.substring(qualified.length()) : line)
                .collect(Collectors.joining("\n"));
    }

    private void arguments() {
        boolean any = false;
        for (PositionalParamSpec parameter : spec.positionalParameters()) {
            if (!parameter.hidden()) {
                heading(any, "OPTIONS");
                any = true;
                argument("\\fI" + escaped(parameter.paramLabel()) + "\\fR", parameter);
            }
        }
        for (OptionSpec option : CommandTree.options(spec)) {
            heading(any, "OPTIONS");
            any = true;
            String names = Arrays.stream(option.names())
                    .map(each -> "\\fB" + escaped(each) + "\\fR")
                    .collect(Collectors.joining(", "));
            String value = option.arity().max() > 0 ? " \\fI" + escaped(option.paramLabel()) + "\\fR" : "";
            argument(names + value, option);
        }
    }

    private void argument(String head, ArgSpec argument) {
        page.append(".TP\n").append(head).append('\n');
        line(CommandTree.plain(argument.description()).replaceAll("\\s*\n\\s*", "\n"));
    }

    private void commands() {
        boolean any = false;
        for (Map.Entry<String, CommandSpec> below : CommandTree.below(spec).entrySet()) {
            heading(any, "COMMANDS");
            any = true;
            page.append(".TP\n\\fB").append(escaped(below.getKey())).append("\\fR\n");
            line(CommandTree.brief(below.getValue().usageMessage().description()));
        }
    }

    private void exitCodes() {
        boolean any = false;
        for (Map.Entry<String, String> code : spec.usageMessage().exitCodeList().entrySet()) {
            heading(any, "EXIT STATUS");
            any = true;
            page.append(".TP\n").append(escaped(code.getKey())).append('\n');
            line(CommandTree.plain(code.getValue()));
        }
    }

    private void seeAlso() {
        String others = CommandTree.below(spec).keySet().stream()
                .map(below -> "\\fB" + escaped(name + "-" + below) + "\\fR(1)")
                .collect(Collectors.joining(",\n"));
        int last = name.lastIndexOf('-');
        String above = last < 0 ? "" : "\\fB" + escaped(name.substring(0, last)) + "\\fR(1)";
        section("SEE ALSO")
                .append(above)
                .append(above.isEmpty() || others.isEmpty() ? "" : ",\n")
                .append(others)
                .append('\n');
    }

    private void heading(boolean written, String title) {
        if (!written) {
            section(title);
        }
    }

    private StringBuilder section(String title) {
        return page.append(".SH \"").append(title).append("\"\n");
    }

    /** Indented lines, which are lists and examples, stay lines of their own. */
    private void paragraphs(String... texts) {
        if (texts.length == 0) {
            return;
        }
        page.append(".PP\n");
        for (String text : CommandTree.plain(texts).split("\n", -1)) {
            if (text.isBlank()) {
                page.append(".PP\n");
            } else if (text.startsWith(" ")) {
                page.append(".br\n");
                line(text.strip());
            } else {
                line(text.strip());
            }
        }
    }

    private void line(String text) {
        text.lines().forEach(each -> page.append(escaped(each)).append('\n'));
    }

    /** No character has a meaning for roff any more. */
    static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(character -> {
            switch (character) {
                case '\\' -> escaped.append("\\e");
                case '-' -> escaped.append("\\-");
                case '\'' -> escaped.append("\\(aq");
                case '^' -> escaped.append("\\(ha");
                case '~' -> escaped.append("\\(ti");
                case '`' -> escaped.append("\\(ga");
                default -> {
                    if (character < 0x80) {
                        escaped.append((char) character);
                    } else {
                        escaped.append("\\[u%04X]".formatted(character));
                    }
                }
            }
        });
        return text.startsWith(".") ? "\\&" + escaped : escaped.toString();
    }
}
