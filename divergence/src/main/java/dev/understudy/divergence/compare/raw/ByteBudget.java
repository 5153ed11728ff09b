package dev.understudy.divergence.compare.raw;

/** The memory that bytes may take while they wait to be compared. */
public interface ByteBudget {
    /** Takes that many bytes of it, or none if there aren't so many. */
    boolean tryReserve(long bytes);

    /** Gives bytes back. */
    void release(long bytes);
}
