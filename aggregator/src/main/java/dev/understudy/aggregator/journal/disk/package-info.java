/**
 * The part of a journal that lies in files, where it outlives the process.
 *
 * <pre>
 * Journal ── Recorded ──▶ JournalDisk ── Label, encoded RecordedReply ──▶ a file        Journal keeps where it is: Stored
 * Journal ◀── Leftovers ── JournalDisk ◀── what the process before wrote
 * </pre>
 */
@NullMarked
package dev.understudy.aggregator.journal.disk;

import org.jspecify.annotations.NullMarked;
