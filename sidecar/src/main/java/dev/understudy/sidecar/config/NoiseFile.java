package dev.understudy.sidecar.config;

import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The file of noise rules that {@code comparison.noise-rules} names, as {@code understudy noise export} writes it. */
public final class NoiseFile {
    private static final long MOST_BYTES = 2 << 20;

    private NoiseFile() {}

    /** The rules; none if no file is named. What is wrong with it is the setting's problem. */
    static List<NoiseRule> read(Section comparison) {
        String file = comparison.optional("noise-rules", Value.anyText(), "");
        if (file.isEmpty()) {
            return List.of();
        }
        try {
            return rules(Path.of(file));
        } catch (ConfigException wrong) {
            wrong.problems().forEach(problem -> comparison.problem("noise-rules: " + problem));
            return List.of();
        }
    }

    /**
     * The rules of a file that may be anybody's.
     *
     * @throws IOException if it can't be read, is no such file, or has more than 2 MiB; the message says what is wrong
     *     first, and where
     */
    public static List<NoiseRule> read(Path file) throws IOException {
        long bytes = Files.size(file);
        if (bytes > MOST_BYTES) {
            throw new IOException(
                    file.getFileName() + ": " + bytes + " bytes of noise rules (expected: at most " + MOST_BYTES + ")");
        }
        try {
            return rules(file);
        } catch (ConfigException wrong) {
            throw new IOException(wrong.problems().get(0), wrong);
        }
    }

    private static List<NoiseRule> rules(Path file) {
        Problems problems = new Problems();
        return YamlFile.read(
                file,
                new Overrides(Map.of(), List.of(), problems),
                problems,
                top -> top.sections("rules").stream()
                        .map(NoiseFile::rule)
                        .distinct()
                        .toList());
    }

    private static NoiseRule rule(Section rule) {
        return new NoiseRule(
                rule.optional("route", Value.text(), NoiseRule.ALL),
                rule.required("path", Value.text()),
                rule.required("value", Value.choice(ValueClass.class)));
    }
}
