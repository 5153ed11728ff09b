package dev.understudy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/** YAML with place-holders such as {@code <name>}, filled after it is read, so that values can't change its form. */
public final class ManifestTemplate {
    private static final Pattern PLACE_HOLDER = Pattern.compile("<([a-zA-Z]+)>");

    private ManifestTemplate() {}

    /**
     * Fills a mapping.
     *
     * @param values by place-holder; one that is all of a scalar may stand for a number, a mapping or a list
     * @throws IllegalArgumentException if the template is wrong, which a test finds
     */
    public static Map<String, Object> fill(String yaml, Map<String, ?> values) {
        try {
            Object tree = YamlTree.read(new Compose(LoadSettings.builder().build())
                    .composeString(yaml)
                    .orElseThrow());
            return ManifestFields.asMap(filled(tree, values), "template");
        } catch (ManifestException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static Object filled(Object tree, Map<String, ?> values) {
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> filled = new LinkedHashMap<>();
            map.forEach((key, value) -> filled.put((String) key, filled(value, values)));
            return filled;
        }
        if (tree instanceof List<?> list) {
            List<Object> filled = new ArrayList<>();
            list.forEach(element -> filled.add(filled(element, values)));
            return filled;
        }
        if (!(tree instanceof ScalarNode scalar) || !scalar.getValue().contains("<")) {
            return tree;
        }
        Matcher found = PLACE_HOLDER.matcher(scalar.getValue());
        if (found.matches()) {
            return YamlTree.copy(value(found.group(1), values));
        }
        return found.replaceAll(
                one -> Matcher.quoteReplacement(value(one.group(1), values).toString()));
    }

    private static Object value(String name, Map<String, ?> values) {
        return Objects.requireNonNull((Object) values.get(name), name);
    }
}
