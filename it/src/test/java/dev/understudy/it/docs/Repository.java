package dev.understudy.it.docs;

import dev.understudy.it.stage.Checkout;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The documents of the checkout. */
final class Repository {
    private static final Set<String> NOT_OURS = Set.of("target", "node_modules", ".git", ".idea", "src");

    private Repository() {}

    static Path root() {
        return Checkout.root();
    }

    /** All Markdown files but what is built, in the order of their paths. */
    static List<Markdown> documents() throws IOException {
        List<Path> files = new ArrayList<>();
        Files.walkFileTree(root(), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean skipped = NOT_OURS.contains(String.valueOf(folder.getFileName()));
                return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    files.add(root().relativize(file));
                }
                return FileVisitResult.CONTINUE;
            }
        });
        files.sort(null);
        List<Markdown> documents = new ArrayList<>();
        for (Path file : files) {
            documents.add(Markdown.read(root(), file));
        }
        return documents;
    }
}
