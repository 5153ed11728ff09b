package dev.understudy.relay.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * One mapping of the configuration file, asked setting by setting; what nobody asked for is an unknown key.
 *
 * <p>A setting is taken from {@link Overrides} before the file. Every method goes on after a problem, with the value's
 * placeholder, so that all problems are found. Confined to the thread that reads the configuration.
 */
public final class Section {
    private final String path;
    private final @Nullable Node node;
    private final YamlFile file;
    private final Map<String, NodeTuple> entries = new LinkedHashMap<>();
    private final Set<String> asked = new LinkedHashSet<>();
    private final List<Section> children = new ArrayList<>();

    Section(String path, @Nullable Node node, YamlFile file) {
        this.path = path;
        this.node = node;
        this.file = file;
        if (node instanceof MappingNode mapping) {
            for (NodeTuple entry : mapping.getValue()) {
                addEntry(entry);
            }
        } else if (node != null && !YamlFile.isNull(node)) {
            file.problem(node, label() + ": (expected: a mapping of settings)");
        }
    }

    private void addEntry(NodeTuple entry) {
        Node keyNode = entry.getKeyNode();
        if (!(keyNode instanceof ScalarNode key)) {
            file.problem(keyNode, label() + ": (expected: a plain word as the key)");
        } else if (entries.putIfAbsent(key.getValue(), entry) != null) {
            file.problem(keyNode, pathOf(key.getValue()) + ": set twice");
        }
    }

    /** Reads a setting that has to be there. */
    public <T> T required(String key, Value<T> value) {
        file.asked(new Setting(pathOf(key), Setting.Kind.REQUIRED, value.expected(), null));
        return read(key, value).orElseGet(() -> {
            file.problem(node, pathOf(key) + ": missing (expected: " + value.expected() + ")");
            return value.placeholder();
        });
    }

    /** Reads a setting that has a default. */
    public <T> T optional(String key, Value<T> value, T otherwise) {
        file.asked(new Setting(pathOf(key), Setting.Kind.OPTIONAL, value.expected(), otherwise));
        return read(key, value).orElse(otherwise);
    }

    /**
     * Reads a list of values that has to be there, and not to be empty; a single value is a list of one. Above the file
     * it is written with commas.
     */
    public <T> List<T> list(String key, Value<T> value) {
        List<T> items = listed(key, value);
        file.asked(new Setting(pathOf(key), Setting.Kind.REQUIRED_LIST, value.expected(), null));
        if (items.isEmpty()) {
            file.problem(node, pathOf(key) + ": missing (expected: " + value.expected() + ", or a list of such)");
            return List.of(value.placeholder());
        }
        return items;
    }

    /** Reads a list of values as {@link #list} does; an absent one is an empty one. */
    public <T> List<T> listed(String key, Value<T> value) {
        return listed(key, value, null);
    }

    /** Reads a list as {@link #listed(String, Value)} does, in which a mapping may stand in a value's place. */
    public <T> List<T> listed(String key, Value<T> value, @Nullable Function<Section, T> mapping) {
        asked.add(key);
        file.asked(new Setting(pathOf(key), Setting.Kind.LIST, value.expected(), null));
        Overrides.Given given = file.overrides().lookup(pathOf(key));
        List<T> items = new ArrayList<>();
        if (given != null) {
            for (String raw : given.value().split(",", -1)) {
                items.add(parse(value, raw, given.place(), key));
            }
            return items;
        }
        NodeTuple entry = entries.get(key);
        if (entry == null || YamlFile.isNull(entry.getValueNode())) {
            return items;
        }
        List<Node> nodes = entry.getValueNode() instanceof SequenceNode sequence
                ? sequence.getValue()
                : List.of(entry.getValueNode());
        for (Node each : nodes) {
            if (each instanceof ScalarNode scalar) {
                items.add(parse(value, scalar.getValue(), file.place(scalar), key));
            } else if (mapping != null && each instanceof MappingNode) {
                Section child = new Section(pathOf(key) + "[" + items.size() + "]", each, file);
                children.add(child);
                items.add(child.build(mapping, value.placeholder()));
            } else {
                file.problem(each, pathOf(key) + ": (expected: " + value.expected() + ")");
            }
        }
        return items;
    }

    /** Tells whether the setting is given, in the file or above it. */
    public boolean has(String key) {
        asked.add(key);
        file.asked(new Setting(pathOf(key), Setting.Kind.LOOKED_FOR, "", null));
        NodeTuple entry = entries.get(key);
        return file.overrides().lookup(pathOf(key)) != null
                || (entry != null && !YamlFile.isNull(entry.getValueNode()));
    }

    /** Enters a nested section; an absent one is an empty one. */
    public Section section(String key) {
        asked.add(key);
        NodeTuple entry = entries.get(key);
        Section child = new Section(pathOf(key), entry == null ? null : entry.getValueNode(), file);
        children.add(child);
        return child;
    }

    /** Reads a list of sections; an absent list is an empty one. */
    public List<Section> sections(String key) {
        asked.add(key);
        NodeTuple entry = entries.get(key);
        if (entry == null || YamlFile.isNull(entry.getValueNode())) {
            return List.of();
        }
        if (!(entry.getValueNode() instanceof SequenceNode sequence)) {
            file.problem(entry.getValueNode(), pathOf(key) + ": (expected: a list)");
            return List.of();
        }
        List<Section> items = new ArrayList<>();
        for (Node item : sequence.getValue()) {
            items.add(new Section(pathOf(key) + "[" + items.size() + "]", item, file));
        }
        children.addAll(items);
        return items;
    }

    /**
     * Builds a record from this section; what its compact constructor refuses is a problem of this section.
     *
     * @param otherwise stands in after a refusal
     */
    public <T> T build(Function<Section, T> constructor, T otherwise) {
        try {
            return constructor.apply(this);
        } catch (IllegalArgumentException refused) {
            file.problem(node, label() + ": " + refused.getMessage());
            return otherwise;
        }
    }

    /** Adds a problem of this section as a whole, at its place in the file. */
    public void problem(String message) {
        file.problem(node, label() + ": " + message);
    }

    void reportUnknown() {
        for (Map.Entry<String, NodeTuple> entry : entries.entrySet()) {
            if (!asked.contains(entry.getKey())) {
                file.problem(
                        entry.getValue().getKeyNode(),
                        pathOf(entry.getKey()) + ": unknown key" + Nearest.hint(entry.getKey(), asked));
            }
        }
        children.forEach(Section::reportUnknown);
    }

    private <T> Optional<T> read(String key, Value<T> value) {
        asked.add(key);
        Overrides.Given given = file.overrides().lookup(pathOf(key));
        if (given != null) {
            return Optional.of(parse(value, given.value(), given.place(), key));
        }
        NodeTuple entry = entries.get(key);
        if (entry == null || YamlFile.isNull(entry.getValueNode())) {
            return Optional.empty();
        }
        if (!(entry.getValueNode() instanceof ScalarNode scalar)) {
            file.problem(entry.getValueNode(), pathOf(key) + ": (expected: " + value.expected() + ")");
            return Optional.of(value.placeholder());
        }
        return Optional.of(parse(value, scalar.getValue(), file.place(scalar), key));
    }

    private <T> T parse(Value<T> value, String raw, String place, String key) {
        try {
            return value.parse().apply(raw.trim());
        } catch (IllegalArgumentException wrong) {
            file.problems().add(place, pathOf(key) + ": " + raw + " (expected: " + value.expected() + ")");
            return value.placeholder();
        }
    }

    private String label() {
        return path.isEmpty() ? "file" : path;
    }

    private String pathOf(String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
