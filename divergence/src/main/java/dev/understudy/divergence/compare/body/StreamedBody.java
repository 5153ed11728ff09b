package dev.understudy.divergence.compare.body;

import org.jspecify.annotations.Nullable;

/** Reads a body as it arrives, and keeps in bounded memory what it says. Confined to one thread. */
public interface StreamedBody {
    /** Takes the next bytes. */
    void feed(byte[] bytes, int from, int length);

    /** Bytes of memory that it occupies, at most. */
    int heldBytes();

    /** What all of it said, to be asked for once; null if that isn't known. */
    @Nullable
    Said end();
}
