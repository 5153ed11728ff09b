package dev.understudy.sidecar.config;

import dev.understudy.divergence.noise.NoiseRule;
import dev.understudy.divergence.noise.ValueClass;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Overrides;
import dev.understudy.relay.config.Problems;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.relay.config.YamlFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The file of noise rules that {@code comparison.noise-rules} names, as {@code understudy noise export} writes it. */
final class NoiseFile {
    private NoiseFile() {}

    /** The rules; none if no file is named. What is wrong with it is the setting's problem. */
    static List<NoiseRule> read(Section comparison) {
        String file = comparison.optional("noise-rules", Value.anyText(), "");
        if (file.isEmpty()) {
            return List.of();
        }
        Problems problems = new Problems();
        try {
            return YamlFile.read(
                    Path.of(file),
                    new Overrides(Map.of(), List.of(), problems),
                    problems,
                    top -> top.sections("rules").stream()
                            .map(NoiseFile::rule)
                            .distinct()
                            .toList());
        } catch (ConfigException wrong) {
            wrong.problems().forEach(problem -> comparison.problem("noise-rules: " + problem));
            return List.of();
        }
    }

    private static NoiseRule rule(Section rule) {
        return new NoiseRule(
                rule.optional("route", Value.text(), NoiseRule.ALL),
                rule.required("path", Value.text()),
                rule.required("value", Value.choice(ValueClass.class)));
    }
}
