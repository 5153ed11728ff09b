package dev.understudy.kubernetes.manifest;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.StreamDataWriter;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * A document as maps, lists and scalars.
 *
 * <p>Scalars of the input stay as they were written: {@code "yes"} and {@code yes} are two things to Kubernetes, which
 * reads YAML 1.1. Added ones are strings, whole numbers and truth values.
 */
public final class YamlTree {
    private static final int MOST_NODES = 100_000;
    private static final int DEEPEST = 64;
    private static final int WIDTH = 120;

    /** What YAML 1.1 and 1.2 both read as this very string, without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z/](?:[A-Za-z0-9./_-]|:(?=[A-Za-z0-9]))*");

    private static final Pattern WORD_OF_YAML = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");

    private int nodes;

    private YamlTree() {}

    /**
     * Turns a node into a tree. Aliases are written out, within bounds.
     *
     * @throws ManifestException if it is larger or deeper than any manifest, or has keys that can't be read
     */
    static Object read(Node node) throws ManifestException {
        return new YamlTree().read(node, 0);
    }

    /** A tree of its own with the same content. */
    public static Object copy(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put((String) key, copy(value)));
            return copy;
        }
        if (tree instanceof List<?> list) {
            List<Object> copy = new ArrayList<>();
            list.forEach(element -> copy.add(copy(element)));
            return copy;
        }
        return tree;
    }

    /** The text of a scalar; empty for null and for what is no scalar. */
    public static String text(Object scalar) {
        if (scalar instanceof ScalarNode node) {
            return node.getTag().equals(Tag.NULL) ? "" : node.getValue();
        }
        return scalar instanceof Map || scalar instanceof List ? "" : scalar.toString();
    }

    /** A tree as YAML, ending with a line break. */
    public static String write(Object tree) {
        DumpSettings settings =
                DumpSettings.builder().setWidth(WIDTH).setSplitLines(false).build();
        StringBuilder written = new StringBuilder();
        new Dump(settings).dumpNode(node(tree), new StreamDataWriter() {
            @Override
            public void write(String text) {
                written.append(text);
            }

            @Override
            public void write(String text, int offset, int length) {
                written.append(text, offset, offset + length);
            }
        });
        return written.toString();
    }

    private Object read(Node node, int depth) throws ManifestException {
        if (++nodes > MOST_NODES) {
            throw new ManifestException("more than " + MOST_NODES
                    + " values with what its aliases stand for (expected: a manifest, which has a few hundred)");
        }
        if (depth > DEEPEST) {
            throw new ManifestException("nested more than " + DEEPEST + " deep (expected: a manifest)");
        }
        if (node instanceof MappingNode mapping) {
            return read(mapping, depth);
        }
        if (node instanceof SequenceNode sequence) {
            List<Object> list = new ArrayList<>();
            for (Node element : sequence.getValue()) {
                list.add(read(element, depth + 1));
            }
            return list;
        }
        return node;
    }

    private Map<String, Object> read(MappingNode mapping, int depth) throws ManifestException {
        Map<String, Object> map = new LinkedHashMap<>();
        for (NodeTuple tuple : mapping.getValue()) {
            if (!(tuple.getKeyNode() instanceof ScalarNode key)) {
                throw new ManifestException("a key that is no text (expected: a manifest)");
            }
            if (key.getValue().equals("<<")) {
                throw new ManifestException("the merge key << isn't read (expected: its values in its place, as"
                        + " kubectl create --dry-run=client -o yaml writes them)");
            }
            if (map.put(key.getValue(), read(tuple.getValueNode(), depth + 1)) != null) {
                throw new ManifestException(key.getValue() + " stands twice (expected: each key once)");
            }
        }
        return map;
    }

    private static Node node(Object tree) {
        if (tree instanceof Map<?, ?> map) {
            List<NodeTuple> tuples = new ArrayList<>();
            map.forEach((key, value) -> tuples.add(new NodeTuple(node(key), node(value))));
            return new MappingNode(Tag.MAP, tuples, map.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
        }
        if (tree instanceof List<?> list) {
            List<Node> elements = new ArrayList<>();
            list.forEach(element -> elements.add(node(element)));
            return new SequenceNode(Tag.SEQ, elements, list.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK);
        }
        if (tree instanceof ScalarNode scalar) {
            // a node that stands at two places would get an anchor
            return new ScalarNode(
                    scalar.getTag(),
                    true,
                    scalar.getValue(),
                    scalar.getScalarStyle(),
                    Optional.empty(),
                    Optional.empty());
        }
        String text = tree.toString();
        if (tree instanceof Integer) {
            return new ScalarNode(Tag.INT, text, ScalarStyle.PLAIN);
        }
        if (tree instanceof Boolean) {
            return new ScalarNode(Tag.BOOL, text, ScalarStyle.PLAIN);
        }
        return new ScalarNode(Tag.STR, text, style(text));
    }

    private static ScalarStyle style(String text) {
        if (text.contains("\n")) {
            return ScalarStyle.LITERAL;
        }
        boolean plain =
                PLAIN.matcher(text).matches() && !WORD_OF_YAML.matcher(text).matches();
        return plain ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED;
    }
}
