package dev.understudy.sidecar.reduce;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Takes one of the texts of a request apart by characters: the value of a parameter, of a form's field, of a string in
 * JSON.
 *
 * @param index from 0 on
 */
record TextCharacters(int index) implements Dimension {
    private static final int MOST_TEXTS = 16;

    /** A longer text is cut into so many pieces. */
    private static final int PIECES = 64;

    static List<Dimension> all() {
        return IntStream.range(0, MOST_TEXTS)
                .<Dimension>mapToObj(TextCharacters::new)
                .toList();
    }

    @Override
    public String name() {
        return "characters of values";
    }

    @Override
    public int count(HttpInput input) {
        List<Text> texts = texts(input);
        return index < texts.size() ? pieces(texts.get(index).value()).size() : 0;
    }

    @Override
    public HttpInput keep(HttpInput input, BitSet kept) {
        List<Text> texts = texts(input);
        if (index >= texts.size()) {
            return input;
        }
        Text text = texts.get(index);
        List<String> pieces = pieces(text.value());
        return kept.cardinality() == pieces.size()
                ? input
                : text.with()
                        .apply(String.join(
                                "", kept.stream().mapToObj(pieces::get).toList()));
    }

    @Override
    public InputPart describe(HttpInput input, int part) {
        return InputPart.piece(pieces(texts(input).get(index).value()).get(part));
    }

    /** A text, and how the input is with another one in its place. */
    private record Text(String value, Function<String, HttpInput> with) {}

    private static List<Text> texts(HttpInput input) {
        HttpCall call = input.last();
        List<Text> texts = new ArrayList<>();
        pairs(call.query(), pairs -> input.with(call.withQuery(pairs)), texts);
        pairs(call.form(), pairs -> input.with(call.withForm(pairs)), texts);
        JsonNode tree = JsonLevel.read(call);
        if (tree != null) {
            strings(input, tree, tree, texts);
        }
        return texts;
    }

    private static void pairs(List<String> pairs, Function<List<String>, HttpInput> with, List<Text> texts) {
        for (int n = 0; n < pairs.size(); n++) {
            int at = n;
            String pair = pairs.get(n);
            int value = pair.indexOf('=') + 1;
            if (value > 0) {
                texts.add(new Text(pair.substring(value), shorter -> {
                    List<String> others = new ArrayList<>(pairs);
                    others.set(at, pair.substring(0, value) + shorter);
                    return with.apply(others);
                }));
            }
        }
    }

    private static void strings(HttpInput input, JsonNode tree, JsonNode node, List<Text> texts) {
        if (node instanceof ObjectNode object) {
            object.fieldNames().forEachRemaining(name -> {
                JsonNode child = object.path(name);
                string(input, tree, child, other -> object.set(name, other), texts);
            });
        } else if (node instanceof ArrayNode array) {
            for (int n = 0; n < array.size(); n++) {
                int at = n;
                string(input, tree, array.path(n), other -> array.set(at, other), texts);
            }
        }
    }

    private static void string(
            HttpInput input, JsonNode tree, JsonNode child, Consumer<JsonNode> set, List<Text> texts) {
        if (texts.size() >= MOST_TEXTS) {
            return;
        }
        if (!child.isTextual()) {
            strings(input, tree, child, texts);
            return;
        }
        texts.add(new Text(child.textValue(), shorter -> {
            set.accept(TextNode.valueOf(shorter));
            HttpInput written = JsonLevel.write(input, tree);
            set.accept(child);
            return written;
        }));
    }

    /** Never between the halves of a character. */
    private static List<String> pieces(String text) {
        int[] characters = text.codePoints().toArray();
        int length = Math.max(1, (characters.length + PIECES - 1) / PIECES);
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < characters.length; from += length) {
            pieces.add(new String(characters, from, Math.min(length, characters.length - from)));
        }
        return pieces;
    }
}
