package dev.understudy.session.clone.process;

import dev.understudy.session.clone.checkpoint.SnapshotFolder;
import dev.understudy.session.clone.facts.ProcFile;
import dev.understudy.session.ledger.Ledger;
import dev.understudy.session.ledger.LedgerEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A ledger that lasts as long as the test. */
final class MemoryLedger implements Ledger {
    final List<LedgerEntry> entries = new CopyOnWriteArrayList<>();
    private int ids;

    @Override
    public synchronized LedgerEntry add(LedgerEntry.Kind kind, String... words) {
        LedgerEntry entry = new LedgerEntry(++ids, kind, List.of(words));
        entries.add(entry);
        return entry;
    }

    @Override
    public void remove(LedgerEntry entry) {
        entries.remove(entry);
    }

    @Override
    public boolean undo(LedgerEntry entry) {
        switch (entry.kind()) {
            case PROCESS -> {
                long pid = Long.parseLong(entry.words().get(0));
                if (ProcFile.startTicks(pid) == Long.parseLong(entry.words().get(1))) {
                    ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
                }
            }
            case DIRECTORY -> new SnapshotFolder(Path.of(entry.words().get(0))).delete();
            default -> throw new IllegalArgumentException(entry.toString());
        }
        return entries.remove(entry);
    }
}
