package dev.understudy.session.host;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A network of this machine: the one of this process, or the one of a container.
 *
 * @param number the kernel's, which names it among those that exist
 * @param file where it can be entered
 */
public record NetworkNamespace(long number, Path file) {
    /** Where programs keep networks that have names. */
    private static final List<Path> NAMED = List.of(Path.of("/run/netns"), Path.of("/run/docker/netns"));

    /**
     * The network that a process is in.
     *
     * @throws IOException if there is no such process, or it may not be looked at
     */
    public static NetworkNamespace of(long pid) throws IOException {
        return at(Path.of("/proc", Long.toString(pid), "ns/net"));
    }

    /** The network that this process is in. */
    public static NetworkNamespace own() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    /**
     * The network at a file.
     *
     * @throws IOException if there is none
     */
    public static NetworkNamespace at(Path file) throws IOException {
        return new NetworkNamespace(((Number) Files.getAttribute(file, "unix:ino")).longValue(), file);
    }

    /**
     * The network of that number; empty if it doesn't exist any more.
     *
     * @throws IOException if that can't be found out, because other users' processes can't be looked at
     */
    public static Optional<NetworkNamespace> find(long number) throws IOException {
        List<Path> files = new ArrayList<>();
        files.add(Path.of("/proc/self/ns/net"));
        for (Path directory : NAMED) {
            if (Files.isDirectory(directory)) {
                list(directory, "*", files);
            }
        }
        list(Path.of("/proc"), "[0-9]*", files);
        boolean isHidden = false;
        for (Path file : files) {
            Path network = file.startsWith("/proc") && !file.endsWith("net") ? file.resolve("ns/net") : file;
            try {
                NetworkNamespace found = at(network);
                if (found.number() == number) {
                    return Optional.of(found);
                }
            } catch (IOException gone) {
                isHidden |= Files.isDirectory(file) && !Files.isReadable(network);
            }
        }
        if (isHidden) {
            throw new IOException(
                    "network " + number + " isn't among those that this user may see: run the command as root");
        }
        return Optional.empty();
    }

    private static void list(Path directory, String glob, List<Path> files) throws IOException {
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(directory, glob)) {
            stream.forEach(files::add);
        }
    }

    /** What starts a program in this network; its words follow. Empty if this process is in it. */
    public List<String> entrance() throws IOException {
        return own().number() == number ? List.of() : List.of("nsenter", "--net=" + file, "--");
    }

    /** The command that runs a program in this network. */
    public List<String> command(List<String> words) throws IOException {
        List<String> command = new ArrayList<>(entrance());
        command.addAll(words);
        return command;
    }
}
