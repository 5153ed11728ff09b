package dev.understudy.aggregator.http.stub;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds and reads the files: one file, or a folder's {@code mappings} (or the folder itself) with all that is below.
 * Bodies are read from {@code __files} beside {@code mappings} (or in the folder), and from nowhere else.
 */
public final class StubFolder {
    private static final int MOST_FILES = 10_000;
    private static final long LONGEST = 16 << 20;
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private final Path root;
    private final Path files;
    private final StubProblems problems = new StubProblems();

    private StubFolder(Path root, Path files) {
        this.root = root;
        this.files = files;
    }

    /** What came of reading: problems that keep the stubs from being used, and notes about what is done otherwise. */
    public record Loaded(Stubs stubs, List<String> problems, List<String> notes) {}

    /** Reads a file or a folder. */
    public static Loaded load(Path path) {
        Path mappings = path.resolve("mappings");
        Path root = Files.isDirectory(mappings) ? mappings : path;
        Path folder = Files.isDirectory(path) ? path : siblings(path);
        return new StubFolder(root, folder.resolve("__files")).load();
    }

    /** For a single file: the folder that has its bodies. */
    private static Path siblings(Path file) {
        Path folder = file.toAbsolutePath().resolveSibling("");
        return folder.endsWith("mappings") ? folder.resolveSibling("") : folder;
    }

    private Loaded load() {
        List<Stub> stubs = new ArrayList<>();
        StubReader reader = new StubReader(problems, this::body);
        for (Path file : found()) {
            JsonNode document = parse(file);
            if (document != null) {
                stubs.addAll(reader.read(name(file), document));
            }
        }
        if (stubs.isEmpty() && problems.lines().isEmpty()) {
            problems.add(root.toString(), "(expected: at least one stub)");
        }
        return new Loaded(new Stubs(stubs), problems.lines(), problems.notes());
    }

    private List<Path> found() {
        if (Files.isRegularFile(root)) {
            return List.of(root);
        }
        try (Stream<Path> all = Files.walk(root)) {
            List<Path> found = all.filter(Files::isRegularFile)
                    .filter(file -> file.toString().endsWith(".json") && !file.startsWith(files))
                    .sorted()
                    .limit(MOST_FILES + 1L)
                    .toList();
            if (found.size() > MOST_FILES) {
                problems.add(root.toString(), "more than " + MOST_FILES + " files");
            }
            return found;
        } catch (IOException missing) {
            problems.add(root.toString(), "(expected: a file or folder of stubs)");
            return List.of();
        }
    }

    private @Nullable JsonNode parse(Path file) {
        try {
            return JSON.readTree(bounded(file));
        } catch (JsonProcessingException malformed) {
            var at = malformed.getLocation();
            String place = at == null ? name(file) : name(file) + ":" + at.getLineNr() + ":" + at.getColumnNr();
            problems.add(place, malformed.getOriginalMessage());
        } catch (IOException unreadable) {
            problems.add(name(file), "cannot be read: " + unreadable.getMessage());
        }
        return null;
    }

    /**
     * The bytes of a body's file.
     *
     * @throws IOException if there is none, or if it is outside, also by a link; the message is for people
     */
    private byte[] body(String name) throws IOException {
        Path file =
                files.resolve(name.startsWith("/") ? name.substring(1) : name).normalize();
        if (!file.startsWith(files.normalize()) || !Files.isRegularFile(file)) {
            throw new IOException("(expected: a file in " + files + ")");
        }
        if (!file.toRealPath().startsWith(files.toRealPath())) {
            throw new IOException("leads out of " + files);
        }
        return bounded(file);
    }

    private static byte[] bounded(Path file) throws IOException {
        if (Files.size(file) > LONGEST) {
            throw new IOException("longer than " + LONGEST + " bytes");
        }
        return Files.readAllBytes(file);
    }

    private String name(Path file) {
        return file.equals(root)
                ? String.valueOf(file.getFileName())
                : root.relativize(file).toString();
    }
}
