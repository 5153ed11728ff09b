package dev.understudy.agent.ahead;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The class files in a folder or a jar, and in jars within that jar. */
final class ClassFiles {
    private static final int LARGEST = 16 << 20;

    /** Is given class files. */
    interface Sink {
        void take(String place, byte[] classFile);
    }

    private ClassFiles() {}

    /**
     * Gives all that are there, in whatever order.
     *
     * @param libraries whether jars within a jar are looked into
     * @throws IOException if it can't be read
     */
    static void of(Path path, boolean libraries, Sink sink) throws IOException {
        if (Files.isDirectory(path)) {
            try (Stream<Path> files = Files.walk(path)) {
                for (Iterator<Path> all = files.iterator(); all.hasNext(); ) {
                    Path file = all.next();
                    if (isClass(file.toString()) && Files.size(file) <= LARGEST) {
                        sink.take(file.toString(), Files.readAllBytes(file));
                    }
                }
            }
            return;
        }
        try (InputStream in = new BufferedInputStream(Files.newInputStream(path))) {
            ofJar(path.toString(), in, libraries, sink);
        }
    }

    private static void ofJar(String place, InputStream jar, boolean libraries, Sink sink) throws IOException {
        ZipInputStream in = new ZipInputStream(jar);
        int entries = 0;
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            entries++;
            String inside = place + "!/" + entry.getName();
            if (isClass(entry.getName())) {
                byte[] bytes = in.readNBytes(LARGEST);
                if (in.read() < 0) {
                    sink.take(inside, bytes);
                }
            } else if (libraries && entry.getName().endsWith(".jar")) {
                ofJar(inside, in, false, sink);
            }
        }
        if (entries == 0) {
            throw new IOException(place + ": not a jar");
        }
    }

    private static boolean isClass(String name) {
        return name.endsWith(".class") && !name.endsWith("module-info.class");
    }
}
