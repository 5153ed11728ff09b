package dev.understudy.kubernetes.manifest;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;

/**
 * Reads the documents of a file or stream. Each keeps its text, so that what isn't changed is written as it came.
 *
 * <p>Whatever the bytes are, it ends with manifests or with a {@link ManifestException}.
 */
public final class ManifestReader {
    /** More than any cluster takes: etcd's limit for one resource is 1.5 MiB. */
    private static final int MOST_BYTES = 1 << 20;

    private final String name;
    private final List<Manifest> manifests = new ArrayList<>();

    private ManifestReader(String name) {
        this.name = name;
    }

    /**
     * Reads all documents.
     *
     * @param name what the stream is called in messages
     * @throws ManifestException if it is no YAML in UTF-8 of at most 1 MiB
     * @throws IOException if it can't be read
     */
    public static List<Manifest> read(String name, InputStream in) throws IOException {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
            throw new ManifestException(name + ": more than 1 MiB (expected: the manifests of one service)");
        }
        ManifestReader reader = new ManifestReader(name);
        reader.split(decoded(name, bytes));
        return reader.manifests;
    }

    private static String decoded(String name, byte[] bytes) throws ManifestException {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException other) {
            throw new ManifestException(name + ": no UTF-8 (expected: YAML)");
        }
    }

    /** The marker at a line's begin ends a document wherever it stands, in block scalars, too (YAML 1.2, 9.1.2). */
    private void split(String text) throws ManifestException {
        StringBuilder document = new StringBuilder();
        int first = 0;
        int number = 0;
        for (String line : text.split("(?<=\n)", -1)) {
            if (line.matches("(?s)---(\\s.*)?")) {
                add(document.toString(), first);
                document.setLength(0);
                // content may follow the marker
                document.append(line.substring(3).strip());
                document.append(document.isEmpty() ? "" : "\n");
                first = document.isEmpty() ? number + 1 : number;
            } else {
                document.append(line);
            }
            number++;
        }
        add(document.toString(), first);
    }

    private void add(String text, int first) throws ManifestException {
        if (text.isBlank()) {
            return;
        }
        Optional<Node> node = compose(text, first);
        try {
            Map<String, Object> tree =
                    ManifestFields.asMap(node.isPresent() ? YamlTree.read(node.get()) : null, "document");
            manifests.add(new Manifest(text.endsWith("\n") ? text : text + "\n", tree));
        } catch (ManifestException wrong) {
            throw new ManifestException(name + ", document of line " + (first + 1) + ": " + wrong.getMessage());
        }
    }

    private Optional<Node> compose(String text, int first) throws ManifestException {
        try {
            return new Compose(LoadSettings.builder().setLabel(name).build()).composeString(text);
        } catch (MarkedYamlEngineException malformed) {
            throw new ManifestException(place(malformed.getProblemMark(), first) + ": " + malformed.getProblem()
                    + " (expected: YAML, as kubectl apply takes it)");
        } catch (YamlEngineException malformed) {
            throw new ManifestException(name + ", document of line " + (first + 1) + ": " + malformed.getMessage());
        } catch (StackOverflowError endless) {
            // the parser knows no limit of its own
            throw new ManifestException(name + ", document of line " + (first + 1) + ": nested too deeply");
        }
    }

    private String place(Optional<Mark> mark, int first) {
        return mark.map(at -> name + ":" + (first + at.getLine() + 1) + ":" + (at.getColumn() + 1))
                .orElse(name);
    }
}
