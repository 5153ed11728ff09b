package dev.understudy.sidecar.config;

import dev.understudy.relay.config.Section;
import dev.understudy.relay.config.Value;
import dev.understudy.sidecar.source.SourceRoots;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** The list {@code sources}: folders and jars with the source of what the debug JVM runs. */
final class SourcesSetting {
    private SourcesSetting() {}

    static SourceRoots read(Section top) {
        Value<Path> root = new Value<>("a folder or a jar that exists", SourcesSetting::root, Path.of(""));
        List<Path> roots = top.listed("sources", root);
        if (roots.size() > SourceRoots.MOST) {
            top.problem("sources: " + roots.size() + " (expected: at most " + SourceRoots.MOST + ")");
            return new SourceRoots(List.of());
        }
        return new SourceRoots(roots);
    }

    private static Path root(String raw) {
        try {
            Path root = Path.of(raw);
            if (Files.isDirectory(root) || Files.isRegularFile(root)) {
                return root;
            }
        } catch (InvalidPathException unspeakable) {
            // said like any other that isn't there
        }
        throw new IllegalArgumentException();
    }
}
