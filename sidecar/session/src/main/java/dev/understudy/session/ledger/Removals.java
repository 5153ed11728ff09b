package dev.understudy.session.ledger;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/** Removes what a session made: which kind is removed by whom. What isn't there any more counts as removed. */
final class Removals {
    /** The label that containers, images and networks of a session have; its value is the session's id. */
    static final String LABEL = "dev.understudy.session";

    private final Path directory;
    private final ProcessRemoval processes = new ProcessRemoval();
    private final NetworkRemoval networks;
    private final DirectoryRemoval directories;
    private final EngineRemoval engines;

    Removals(SessionHeader header, Path directory) {
        this.directory = directory;
        this.networks = new NetworkRemoval(header.session(), processes);
        this.directories = new DirectoryRemoval(List.of(directory, header.images()));
        this.engines = new EngineRemoval(header.session());
    }

    /** Removes all, the last first, and goes on where one can't be removed. */
    UndoResult removeAll(List<LedgerEntry> entries, Consumer<LedgerEntry> onRemoved) throws InterruptedException {
        List<String> removed = new ArrayList<>();
        List<UndoResult.Remainder> left = new ArrayList<>();
        List<LedgerEntry> backwards = new ArrayList<>(entries);
        backwards.sort(Comparator.comparingInt(LedgerEntry::id).reversed());
        for (LedgerEntry entry : backwards) {
            try {
                remove(entry);
                onRemoved.accept(entry);
                removed.add(entry.text());
            } catch (RemovalException failed) {
                String byHand = failed.isForeign()
                        ? "leave it; when all else is gone: " + deletion(directory.toString())
                        : byHand(entry);
                left.add(new UndoResult.Remainder(entry.text(), String.valueOf(failed.getMessage()), byHand));
            }
        }
        return new UndoResult(removed, left);
    }

    /** Deletes the session's own directory. */
    UndoResult removeDirectory(UndoResult before) {
        try {
            directories.delete(directory);
            return before;
        } catch (RemovalException failed) {
            return new UndoResult(
                    before.removed(),
                    List.of(new UndoResult.Remainder(
                            directory.toString(),
                            String.valueOf(failed.getMessage()),
                            deletion(directory.toString()))));
        }
    }

    void remove(LedgerEntry entry) throws RemovalException, InterruptedException {
        try {
            switch (entry.kind()) {
                case PROCESS -> processes.remove(number(entry, 0), number(entry, 1));
                case NAMESPACE -> networks.removeNamespace(word(entry, 0));
                case LINK -> networks.removeLink(number(entry, 0), word(entry, 1));
                case RULE ->
                    networks.removeRule(
                            number(entry, 0),
                            word(entry, 1),
                            entry.words().subList(2, entry.words().size()));
                case DIRECTORY -> directories.remove(word(entry, 0));
                case CONTAINER, IMAGE, NETWORK -> engines.remove(entry.kind(), word(entry, 0), word(entry, 1));
            }
        } catch (IOException failed) {
            throw new RemovalException(String.valueOf(failed.getMessage()), failed);
        }
    }

    private static String byHand(LedgerEntry entry) {
        List<String> words = entry.words();
        String first = words.isEmpty() ? "?" : words.get(0);
        String second = words.size() < 2 ? "?" : words.get(1);
        return switch (entry.kind()) {
            case PROCESS -> "kill -9 " + first + "   # if it is still the process that began at " + second + " ticks";
            case NAMESPACE -> "ip netns delete " + first;
            case LINK -> "ip link delete " + second + "   # in network " + first;
            case RULE -> NetworkRemoval.byHand(words);
            case DIRECTORY -> deletion(first);
            case CONTAINER -> first + " rm --force " + second;
            case IMAGE -> first + " image rm " + second;
            case NETWORK -> first + " network rm " + second;
        };
    }

    private static String deletion(String path) {
        return "rm -r '" + path.replace("'", "'\\''") + "'";
    }

    private static String word(LedgerEntry entry, int n) throws RemovalException {
        if (n >= entry.words().size()) {
            throw RemovalException.foreign(
                    "its entry has " + entry.words().size() + " words (expected: more than " + n + "): it was damaged");
        }
        return entry.words().get(n);
    }

    private static long number(LedgerEntry entry, int n) throws RemovalException {
        try {
            return Long.parseLong(word(entry, n));
        } catch (NumberFormatException damaged) {
            throw RemovalException.foreign("its entry has " + word(entry, n) + " (expected: a number)");
        }
    }
}
