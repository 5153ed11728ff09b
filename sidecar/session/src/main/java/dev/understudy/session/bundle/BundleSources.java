package dev.understudy.session.bundle;

import dev.understudy.relay.stream.ProcessDirectory;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** Finds the files of a journal that belong into a bundle, and refuses one that isn't at rest. */
final class BundleSources {
    private static final String LOCK = "lock";

    private BundleSources() {}

    /**
     * Adds the journals of all upstreams.
     *
     * @param journal an aggregator's {@code journal.disk-directory}, or a copy of it
     * @throws BundleException if an aggregator that runs has it, or it has no journal of these upstreams
     */
    static void addJournals(BundleWriter to, Path journal, BundleUpstreams upstreams) throws IOException {
        for (BundleUpstreams.Settings upstream : upstreams.all()) {
            Path folder = journal.resolve(upstream.folder());
            if (!Files.isDirectory(folder)) {
                throw new BundleException(folder + ": no such folder (expected: the journal of upstream "
                        + upstream.name() + ", where journal.disk-directory of the aggregator is)");
            }
            String name = BundleLimits.JOURNAL + upstream.folder() + '/';
            addFiles(to, folder, name);
            addFiles(to, folder.resolve("large"), name + "large/");
        }
    }

    private static void addFiles(BundleWriter to, Path folder, String name) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        if (Files.exists(folder.resolve(LOCK)) && ProcessDirectory.isInUse(folder)) {
            throw new BundleException(folder + ": an aggregator that runs has it, with newer replies in its memory"
                    + " (expected: stop that aggregator first, which writes them; or give a copy of the directory,"
                    + " without the newer ones)");
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                String own = file.getFileName().toString();
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS) && !own.equals(LOCK)) {
                    to.add(name + own, file);
                }
            }
        }
    }
}
