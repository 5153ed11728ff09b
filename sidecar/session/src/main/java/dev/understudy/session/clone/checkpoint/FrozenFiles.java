package dev.understudy.session.clone.checkpoint;

import dev.understudy.session.clone.CloneException;
import dev.understudy.session.clone.facts.OpenDescriptor;
import dev.understudy.session.clone.facts.ProcFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files that a process writes to, as they were while it stood still.
 *
 * <p>What it writes in place is copied by {@code frozen.sh}. A log only grows: it is cut out afterwards, from a handle
 * that was opened before, so that its rotation doesn't take it away.
 */
public final class FrozenFiles implements Closeable {
    private static final int MOST_HELD = 1024;

    private final SnapshotFolder folder;
    private final long pid;
    private final Map<String, FileChannel> held = new HashMap<>();

    /** Opens the process's logs for reading, and lists for {@code frozen.sh} what it shall copy. */
    public FrozenFiles(SnapshotFolder folder, long pid, List<OpenDescriptor> files) throws IOException {
        this.folder = folder;
        this.pid = pid;
        List<String> known = new ArrayList<>();
        List<String> inPlace = new ArrayList<>();
        for (OpenDescriptor file : files) {
            if (!file.isNamedOutput()) {
                continue;
            }
            if (file.link().indexOf('\n') >= 0) {
                throw new IOException(file.link().replace('\n', ' ') + ": the name of an open file has two lines");
            }
            known.add(file.link());
            if (!file.isSequential()) {
                inPlace.add(file.link());
            } else if (held.size() < MOST_HELD && !held.containsKey(file.identity())) {
                hold(file);
            }
        }
        folder.write("known", known);
        folder.write("in-place", inPlace);
    }

    private void hold(OpenDescriptor file) {
        try {
            held.put(file.identity(), FileChannel.open(file.handle(), StandardOpenOption.READ));
        } catch (IOException gone) {
            // it was closed meanwhile; what is open later is opened then
        }
    }

    /** Cuts the logs to what they were. To be called once the dump has ended well. */
    void cut() throws IOException, CloneException {
        Map<String, String> identities = new HashMap<>();
        for (String line : ProcFile.lines(folder.path("frozen.files"))) {
            String[] words = line.split(" ", 2);
            identities.put(words[0], words.length > 1 ? words[1] : "");
        }
        Map<String, String> descriptors = new HashMap<>();
        for (String line : ProcFile.lines(folder.path("frozen.links"))) {
            String[] words = line.split(" ", 2);
            if (words.length > 1 && identities.containsKey(words[0])) {
                descriptors.put(words[1], words[0]);
            }
        }
        for (CriuImages.WritableFile file : CriuImages.writableFiles(folder.directory())) {
            String descriptor = descriptors.get(file.path());
            Path copy = folder.file(file.path());
            if (descriptor != null && !Files.exists(copy)) {
                Files.createDirectories(copy.getParent());
                copy(descriptor, identities.getOrDefault(descriptor, ""), file, copy);
            }
        }
    }

    private void copy(String descriptor, String identity, CriuImages.WritableFile file, Path copy)
            throws IOException, CloneException {
        FileChannel channel = held.get(identity);
        if (channel == null) {
            Path handle = ProcFile.of(pid, "fd").resolve(descriptor);
            if (!Files.exists(handle) || !OpenDescriptor.identity(handle).equals(identity)) {
                throw new CloneException(
                        file.path() + ": opened and closed while the snapshot was made; make it again");
            }
            channel = FileChannel.open(handle, StandardOpenOption.READ);
            held.put(identity, channel);
        }
        if (file.size() < 0 || file.size() > channel.size()) {
            throw new CloneException(file.path() + ": " + channel.size() + " bytes (expected: at least " + file.size()
                    + "); it was cut while the snapshot was made; make it again");
        }
        try (FileChannel out = FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (long at = 0; at < file.size(); ) {
                long copied = channel.transferTo(at, file.size() - at, out);
                if (copied <= 0) {
                    throw new IOException(file.path() + ": cut short meanwhile");
                }
                at += copied;
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (FileChannel channel : held.values()) {
            channel.close();
        }
    }
}
