package dev.understudy.it.docs;

import dev.understudy.it.docs.Markdown.Fence;
import dev.understudy.relay.config.ConfigException;
import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.YamlFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * Whether the settings in blocks of YAML are known to the program that has their top keys. They may be parts of a file:
 * what is missing isn't a problem, nor is a file that isn't here.
 */
final class ShownSettings {
    private final Set<String> sidecar;
    private final Set<String> aggregator;

    private ShownSettings(Set<String> sidecar, Set<String> aggregator) {
        this.sidecar = sidecar;
        this.aggregator = aggregator;
    }

    static ShownSettings open() throws IOException {
        return new ShownSettings(
                FileSettings.sidecar().topKeys(), FileSettings.aggregator().topKeys());
    }

    List<String> problems(Markdown document) {
        List<String> problems = new ArrayList<>();
        for (Fence fence : document.fences()) {
            if (!fence.language().matches("ya?ml")) {
                continue;
            }
            Object read;
            try {
                read = new Load(LoadSettings.builder().build()).loadFromString(fence.text());
            } catch (YamlEngineException wrong) {
                problems.add(fence.document().at(fence.line(), "not YAML: " + wrong.getMessage()));
                continue;
            }
            Set<?> keys = read instanceof Map<?, ?> map ? map.keySet() : Set.of();
            if (keys.contains("upstreams")
                    || (!keys.isEmpty() && !sidecar.containsAll(keys) && aggregator.containsAll(keys))) {
                problems.addAll(problems(fence, ConfigReaders.aggregator()));
            } else if (!keys.isEmpty() && sidecar.containsAll(keys)) {
                problems.addAll(problems(fence, ConfigReaders.sidecar()));
            }
        }
        return problems;
    }

    private static List<String> problems(Fence fence, Function<Section, Object> reader) {
        try {
            YamlFile.read("settings", fence.text(), reader);
            return List.of();
        } catch (ConfigException wrong) {
            return wrong.problems().stream()
                    .filter(problem -> !isMissing(problem))
                    .map(problem -> fence.document().at(fence.line(), problem))
                    .toList();
        }
    }

    private static boolean isMissing(String problem) {
        return problem.contains(": missing (")
                || problem.contains("none (expected: at least one")
                || problem.contains("no such file")
                || problem.contains("can't be read")
                || problem.contains("(expected: a file or folder of stubs)")
                || problem.contains("(expected: one of )")
                || problem.contains("placeholder")
                || problem.contains("(expected: the name of a listener");
    }
}
